/**
 * The command line and the embedded stack behind it: PostgreSQL, Debezium, Kafka and Flink in one
 * process. Knows every other part; no other part may know it.
 */
@NullMarked
package io.tidemark.sandbox;

import org.jspecify.annotations.NullMarked;
