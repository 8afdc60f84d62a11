package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one record says about one key.
 *
 * @param row the row's columns; null if the key was deleted
 * @param sourceTime when the source committed it; null if the record does not tell
 * @param unsent columns that the source left out of the row
 * @param fresh whether the row begins with this change: nothing that was before it is in it
 */
public record OracleChange(
    RawEvent event,
    Map<String, Object> key,
    @Nullable Map<String, @Nullable Object> row,
    OracleVersion version,
    @Nullable OffsetDateTime sourceTime,
    Set<String> unsent,
    boolean fresh) {

  /** The same, as far as it can be kept of each of very many. */
  OracleChange withoutValues() {
    RawEvent place =
        new RawEvent(event.topic(), event.partition(), event.offset(), null, null, Map.of());
    return new OracleChange(place, Map.of(), null, version, sourceTime, unsent, fresh);
  }
}
