/**
 * Avro messages whose schema a registry keeps: from an id and bytes to the tokens and the Connect
 * schema that Kafka Connect's JSON converter would have written.
 *
 * <p>What a value means comes from Connect's own properties in the schema ({@code connect.name},
 * {@code connect.parameters}), never from Avro's logical types, which Kafka Connect's converter
 * does not write for Debezium's. The schema that wrote a message reads it; there is no other. Avro
 * itself only parses schemas: every length and count that comes from a message is checked here.
 */
@NullMarked
package io.tidemark.debezium.avro;

import org.jspecify.annotations.NullMarked;
