package io.tidemark.change;

import java.util.Arrays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

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
 * @param kept by column what decides it, of a live row's columns that another change than the one
 *     of {@code version} told, or none; empty for nearly all rows
 * @param deletedAtMicros the source time of the delete, microseconds since the epoch, by which it
 *     is forgotten some day; {@link #NEVER} for a live key
 */
public record Mark(
    CommitVersion version,
    Kind kind,
    long contentHash,
    byte[] partitionValues,
    SortedMap<String, Told> kept,
    long deletedAtMicros) {

  /** The time of what is not forgotten. */
  public static final long NEVER = Long.MAX_VALUE;

  /** All columns come from the change of the row's version. */
  public static final SortedMap<String, Told> NOTHING_KEPT = Collections.emptySortedMap();

  private static final byte[] NOWHERE = {};

  public Mark {
    kept = kept.isEmpty() ? NOTHING_KEPT : Collections.unmodifiableSortedMap(new TreeMap<>(kept));
  }

  /** A mark that is never forgotten, of a row all of whose columns are of its version. */
  public Mark(CommitVersion version, Kind kind, long contentHash, byte[] partitionValues) {
    this(version, kind, contentHash, partitionValues, NOTHING_KEPT);
  }

  /** A mark that is never forgotten. */
  public Mark(
      CommitVersion version,
      Kind kind,
      long contentHash,
      byte[] partitionValues,
      SortedMap<String, Told> kept) {
    this(version, kind, contentHash, partitionValues, kept, NEVER);
  }

  /**
   * The mark of a key that is deleted.
   *
   * @param atMicros source time of the delete; {@link #NEVER} if it is not known
   */
  public static Mark deleted(CommitVersion version, long atMicros) {
    return new Mark(version, Kind.DELETE, Change.DELETED_CONTENT, NOWHERE, NOTHING_KEPT, atMicros);
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
        && Arrays.equals(partitionValues, mark.partitionValues)
        && kept.equals(mark.kept)
        && deletedAtMicros == mark.deletedAtMicros;
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
