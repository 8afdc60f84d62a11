package io.tidemark.change;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One change of one key.
 *
 * @param key the changed row's key
 * @param kind whether a row stands after it
 * @param version what it is compared by
 * @param sourceTimeMicros when the source committed it, microseconds since 1970-01-01T00:00:00Z;
 *     shown to people, never compared
 * @param row the encoded row, for a {@link Kind#DELETE} only the key columns set; taken over, not
 *     copied, never changed
 * @param unsent the columns that the source left out of the row; null for nearly all changes, which
 *     have them all
 * @param removed of a delete, the row that it removed; null if the source is not trusted to say it
 */
public record Change(
    PrimaryKey key,
    Kind kind,
    CommitVersion version,
    long sourceTimeMicros,
    byte[] row,
    @Nullable Unsent unsent,
    @Nullable RemovedRow removed) {

  /** The content hash of a change whose row is not known any more; no content has it. */
  public static final long UNKNOWN_CONTENT = 0;

  /**
   * The content hash of a row that no change wrote, and that has no version: every change of its
   * key stands above it.
   */
  public static final long UNVERSIONED_CONTENT = 2;

  /** The content hash of every {@link Kind#DELETE}. */
  public static final long DELETED_CONTENT = 1;

  /** A change that has all its columns. */
  public Change(
      PrimaryKey key, Kind kind, CommitVersion version, long sourceTimeMicros, byte[] row) {
    this(key, kind, version, sourceTimeMicros, row, null, null);
  }

  /** A change that may lack columns. */
  public Change(
      PrimaryKey key,
      Kind kind,
      CommitVersion version,
      long sourceTimeMicros,
      byte[] row,
      @Nullable Unsent unsent) {
    this(key, kind, version, sourceTimeMicros, row, unsent, null);
  }

  /**
   * A hash of kind and row, and of what the row leaves out, equal for equal contents in every
   * process: 64 bits of two independent checksums, never one of the constants above for a row. It
   * only tells copies apart from other events at the same position.
   */
  public long contentHash() {
    return kind == Kind.DELETE ? DELETED_CONTENT : contentHash(row, unsent);
  }

  /**
   * The content hash that an upsert would have.
   *
   * @param row encoded
   * @param unsent what is left out of it; null if it is whole
   */
  public static long contentHash(byte[] row, @Nullable Unsent unsent) {
    CRC32C low = new CRC32C();
    low.update(row);
    CRC32 high = new CRC32();
    high.update(row);
    if (unsent != null) {
      byte[] more = (unsent.insert() + " " + unsent.columns()).getBytes(StandardCharsets.UTF_8);
      low.update(more);
      high.update(more);
    }
    long hash = high.getValue() << 32 | low.getValue();
    return hash >= UNKNOWN_CONTENT && hash <= UNVERSIONED_CONTENT ? hash + 3 : hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Change change
        && key.equals(change.key)
        && kind == change.kind
        && version.equals(change.version)
        && sourceTimeMicros == change.sourceTimeMicros
        && Arrays.equals(row, change.row)
        && Objects.equals(unsent, change.unsent)
        && Objects.equals(removed, change.removed);
  }

  @Override
  public int hashCode() {
    return 31 * key.hashCode() + version.hashCode();
  }

  /** Without the row, which does not belong into a log. */
  @Override
  public String toString() {
    return "Change[" + key + " " + kind + " " + version + "]";
  }
}
