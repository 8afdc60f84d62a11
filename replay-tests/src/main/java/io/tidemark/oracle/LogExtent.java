package io.tidemark.oracle;

import java.util.Set;

/**
 * How much of its log a table can still be compared with.
 *
 * @param lostBelow records below this offset may be gone from some partition; 0 if none is, {@link
 *     Long#MAX_VALUE} if any may be
 * @param lostEpochs records of epochs below this one are gone: they were in another topic
 * @param adopted whether the table had rows before anything was read; they may have no version
 * @param unread offsets, in any partition, of records that cannot be understood here; a job may
 *     have understood them, by a schema that is gone or settings that are other ones now
 */
public record LogExtent(long lostBelow, int lostEpochs, boolean adopted, Set<Long> unread) {

  /** Everything is there. */
  public static final LogExtent WHOLE = new LogExtent(0, 0, false, Set.of());

  /** Whether the record that this version was made of may be gone, or told nothing here. */
  boolean mayHaveLost(OracleVersion version) {
    return adopted
        || version.offset() < lostBelow
        || version.epoch() < lostEpochs
        || unread.contains(version.offset());
  }
}
