package io.tidemark.debezium.json;

import org.jspecify.annotations.Nullable;

/**
 * Where payload and schema lie in a message's bytes.
 *
 * @param schema the bytes of the Connect schema; null where the message has none. The same array,
 *     by identity, for messages that follow each other with the same schema
 * @param from first byte of the payload
 * @param to end of the payload, exclusive
 */
@SuppressWarnings("ArrayRecordComponent") // a view of the message, never compared
public record Frame(byte @Nullable [] schema, int from, int to) {}
