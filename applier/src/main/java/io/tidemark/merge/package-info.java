/**
 * The gate: one winner per key, decided by the rule, and what the table must be told of it.
 *
 * <p>Pure: it knows changes and marks, and reaches keyed state, files and tables through the ports
 * declared here. It does not know Flink, Iceberg or Kafka.
 */
@NullMarked
package io.tidemark.merge;

import org.jspecify.annotations.NullMarked;
