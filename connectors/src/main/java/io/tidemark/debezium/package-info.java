/**
 * Debezium's messages: from the bytes of a Kafka record to a change of one row, or a typed outcome.
 *
 * <p>Only this package and those below it know wire formats and connectors. They know nothing of
 * Kafka's clients, of the engine or of the table: a record comes in as bytes, values go out through
 * a {@link io.tidemark.row.RowWriter}. They never guess: what cannot be decoded is an outcome that
 * says what was found and what was expected, and carries no row values.
 */
@NullMarked
package io.tidemark.debezium;

import org.jspecify.annotations.NullMarked;
