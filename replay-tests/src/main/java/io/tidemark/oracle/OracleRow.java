package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * How one key stands at some place in the log.
 *
 * @param row its columns; null if the key is deleted
 * @param version the highest version seen
 * @param copies the records that say this same thing at this same position, Kafka offset to source
 *     time: a repetition of a change writes nothing, so a table may show any of them. The times
 *     differ where a source takes two snapshots and nothing changed in between
 * @param kept by column which change told it, where that is not the one of {@code version}
 */
public record OracleRow(
    @Nullable Map<String, @Nullable Object> row,
    OracleVersion version,
    SortedMap<Long, @Nullable OffsetDateTime> copies,
    Map<String, OracleTold> kept) {

  /** Whether a table may show this version for the key. */
  public boolean allows(OracleVersion shown) {
    return version.ties(shown) && copies.containsKey(shown.offset());
  }

  /** When the source committed the record that stands; null if it does not tell. */
  public @Nullable OffsetDateTime sourceTime() {
    return sourceTime(version);
  }

  /** The source time of the copy whose version a table shows. */
  @Nullable OffsetDateTime sourceTime(OracleVersion shown) {
    return copies.get(shown.offset());
  }
}
