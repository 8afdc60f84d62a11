package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one record says about one key.
 *
 * @param row the row's columns; null if the key was deleted
 * @param sourceTime when the source committed it; null if the record does not tell
 */
public record OracleChange(
    RawEvent event,
    Map<String, Object> key,
    @Nullable Map<String, @Nullable Object> row,
    OracleVersion version,
    @Nullable OffsetDateTime sourceTime) {}
