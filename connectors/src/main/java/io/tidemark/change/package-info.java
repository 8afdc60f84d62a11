/**
 * The vocabulary of a change and the rule that decides between two changes of one key.
 *
 * <p>Everything here is pure and rests on the JDK alone: no wire format, no connector, no Kafka, no
 * Flink, no Iceberg, no clock. If two readers disagree about what a table must hold, this package
 * is where the answer is.
 */
@NullMarked
package io.tidemark.change;

import org.jspecify.annotations.NullMarked;
