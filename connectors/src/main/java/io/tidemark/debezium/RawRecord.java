package io.tidemark.debezium;

import io.tidemark.change.SourceOffset;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka record as it was read.
 *
 * @param timestampMillis the record's timestamp, milliseconds since 1970-01-01T00:00:00Z
 * @param key null for a record without a key
 * @param value null for a tombstone
 * @param headers by name, the last of equal names; a header's value may be null
 */
@SuppressWarnings("ArrayRecordComponent") // passed through, never compared
public record RawRecord(
    SourceOffset at,
    long timestampMillis,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, byte[]> headers) {}
