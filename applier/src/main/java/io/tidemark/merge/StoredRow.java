package io.tidemark.merge;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Mark;

/**
 * A row as it was written.
 *
 * @param version the row's
 * @param contentHash of the change that has this version, as the row's mark has it; {@link
 *     io.tidemark.change.Change#UNKNOWN_CONTENT} of a row that was read from a table
 * @param sourceTimeMicros as that change has it
 * @param row encoded, with all its columns; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // passed through, never compared
public record StoredRow(
    CommitVersion version, long contentHash, long sourceTimeMicros, byte[] row) {

  /**
   * Whether this is the row that a mark speaks of. Copies of a change raise a mark's offset and
   * leave its content, so the offsets need not be equal.
   */
  boolean isOf(Mark mark) {
    return version.equals(mark.version())
        || (version.comparePosition(mark.version()) == 0 && contentHash == mark.contentHash());
  }
}
