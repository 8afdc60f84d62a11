package io.tidemark.commit;

import org.jspecify.annotations.Nullable;

/**
 * Counts of what a batch wrote.
 *
 * @param upserts rows written
 * @param deletes deleted keys, each with a tombstone
 * @param equalityDeletes equality-delete rows written
 * @param maxVersion the text of the highest commit version among them; null if there are none
 * @param maxSourceTimeMicros the newest source time among them, microseconds since the epoch;
 *     {@link Long#MIN_VALUE} if there are none
 * @param live how the table's live rows changed; null if that is not known, as of what an earlier
 *     build wrote
 */
public record BatchStats(
    long upserts,
    long deletes,
    long equalityDeletes,
    @Nullable String maxVersion,
    long maxSourceTimeMicros,
    @Nullable LiveRows live) {

  /** Nothing was written. */
  public static final BatchStats NONE =
      new BatchStats(0, 0, 0, null, Long.MIN_VALUE, LiveRows.NONE);

  /** The counts of both. */
  public BatchStats plus(BatchStats other) {
    return new BatchStats(
        upserts + other.upserts,
        deletes + other.deletes,
        equalityDeletes + other.equalityDeletes,
        higher(maxVersion, other.maxVersion),
        Math.max(maxSourceTimeMicros, other.maxSourceTimeMicros),
        live == null || other.live == null ? null : live.plus(other.live));
  }

  /** Of a record what the next one counts on from: what is true of the whole table. */
  public BatchStats carried() {
    return new BatchStats(0, 0, 0, maxVersion, maxSourceTimeMicros, live);
  }

  /** The same with other live rows. */
  public BatchStats withLive(@Nullable LiveRows other) {
    return new BatchStats(
        upserts, deletes, equalityDeletes, maxVersion, maxSourceTimeMicros, other);
  }

  private static @Nullable String higher(@Nullable String a, @Nullable String b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return a.compareTo(b) >= 0 ? a : b;
  }
}
