package io.tidemark.change;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * All that must be remembered of one partition so that its records get the same versions whenever
 * they are read again.
 *
 * @param nextOffset the offset to go on from: all below it was read
 * @param origin the first offset that was ever read
 * @param highWater the highest stream position seen; {@link Position#ZERO} if none
 * @param highWaterTimeMicros the newest source time of the stream's events up to {@code highWater};
 *     {@link Long#MIN_VALUE} if none
 * @param generations for each snapshot, named by its rows' own position, the stream position above
 *     which it ranks
 */
public record PartitionProgress(
    long nextOffset,
    long origin,
    Position highWater,
    long highWaterTimeMicros,
    Map<Position, Position> generations) {

  /** No snapshot has this name: its {@code p1} is 0. */
  private static final Position CAME_LATE = new Position(0, 0, 2);

  public PartitionProgress {
    if (origin < 0 || nextOffset < origin) {
      throw new IllegalArgumentException(
          "origin must be in 0..nextOffset, got origin " + origin + ", nextOffset " + nextOffset);
    }
    generations = Map.copyOf(generations);
  }

  /** A partition of which nothing was read yet. */
  public static PartitionProgress startingAt(long offset) {
    return new PartitionProgress(offset, offset, Position.ZERO, Long.MIN_VALUE, Map.of());
  }

  /**
   * A partition of which nothing was read yet, of a topic that the table was read from before. That
   * is remembered among the generations: it must not be lost while only what changes nothing comes.
   */
  public static PartitionProgress comingLateAt(long offset) {
    return new PartitionProgress(
        offset, offset, Position.ZERO, Long.MIN_VALUE, Map.of(CAME_LATE, Position.ZERO));
  }

  /** Whether its keys came from other partitions, which were read before. */
  public boolean cameLate() {
    return generations.containsKey(CAME_LATE);
  }

  /** The same where all below {@code offset} counts as read; nothing changes if it does already. */
  public PartitionProgress skippingTo(long offset) {
    return new PartitionProgress(
        Math.max(nextOffset, offset), origin, highWater, highWaterTimeMicros, generations);
  }

  /**
   * What two readers of the same partition know together: the higher position, the newest time, the
   * union of the generations. A generation that both know keeps the lower rank: it was ranked when
   * it first appeared, and no later reading can have seen less.
   */
  public PartitionProgress merge(PartitionProgress other) {
    NavigableMap<Position, Position> ranks = new TreeMap<>(generations);
    other.generations.forEach(
        (name, rank) -> ranks.merge(name, rank, (a, b) -> a.compareTo(b) <= 0 ? a : b));
    return new PartitionProgress(
        Math.max(nextOffset, other.nextOffset),
        Math.min(origin, other.origin),
        other.highWater.isAfter(highWater) ? other.highWater : highWater,
        Math.max(highWaterTimeMicros, other.highWaterTimeMicros),
        ranks);
  }
}
