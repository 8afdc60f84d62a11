package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * How one key stands at some place in the log.
 *
 * @param row its columns; null if the key is deleted
 * @param version the highest version seen
 * @param offsets Kafka offsets of the records that say this same thing at this same position: a
 *     repetition of a change writes nothing, so a table may show any of them
 * @param kept by column which change told it, where that is not the one of {@code version}
 */
public record OracleRow(
    @Nullable Map<String, @Nullable Object> row,
    OracleVersion version,
    SortedSet<Long> offsets,
    @Nullable OffsetDateTime sourceTime,
    Map<String, OracleTold> kept) {

  /** Whether a table may show this version for the key. */
  public boolean allows(OracleVersion shown) {
    return version.ties(shown) && offsets.contains(shown.offset());
  }
}
