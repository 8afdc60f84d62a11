package io.tidemark.change;

import java.util.Arrays;

/**
 * What is known of one key: the tidemark that the highest version left.
 *
 * @param version the highest version seen
 * @param kind whether that version left a row
 * @param contentHash {@link Change#contentHash()} of it, or {@link Change#UNKNOWN_CONTENT} for a
 *     mark that was read back from a table
 * @param partitionValues the encoded values that the row has in the columns that the table is
 *     partitioned by, which say where the row lies; empty for an unpartitioned table and for a
 *     deleted key; never changed
 * @param deletedAtMicros the source time of the delete, microseconds since the epoch, by which it
 *     is forgotten some day; {@link #NEVER} for a live key
 */
public record Mark(
    CommitVersion version,
    Kind kind,
    long contentHash,
    byte[] partitionValues,
    long deletedAtMicros) {

  /** The time of what is not forgotten. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final byte[] NOWHERE = {};

  /** A mark that is never forgotten. */
  public Mark(CommitVersion version, Kind kind, long contentHash, byte[] partitionValues) {
    this(version, kind, contentHash, partitionValues, NEVER);
  }

  /**
   * The mark of a key that is deleted.
   *
   * @param atMicros source time of the delete; {@link #NEVER} if it is not known
   */
  public static Mark deleted(CommitVersion version, long atMicros) {
    return new Mark(version, Kind.DELETE, Change.DELETED_CONTENT, NOWHERE, atMicros);
  }

  /** The mark of a row that has no version, at the place that its {@code partitionValues} say. */
  public static Mark unversioned(byte[] partitionValues) {
    return new Mark(
        new CommitVersion(0, Position.ZERO, CommitVersion.STREAM, 0),
        Kind.UPSERT,
        Change.UNVERSIONED_CONTENT,
        partitionValues);
  }

  /** Whether a row of this key stands. */
  public boolean live() {
    return kind == Kind.UPSERT;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Mark mark
        && version.equals(mark.version)
        && kind == mark.kind
        && contentHash == mark.contentHash
        && deletedAtMicros == mark.deletedAtMicros
        && Arrays.equals(partitionValues, mark.partitionValues);
  }

  @Override
  public int hashCode() {
    return 31 * version.hashCode() + Long.hashCode(contentHash);
  }

  @Override
  public String toString() {
    return "Mark[" + version + " " + kind + "]";
  }
}
