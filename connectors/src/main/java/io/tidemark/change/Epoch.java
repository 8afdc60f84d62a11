package io.tidemark.change;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A stretch of one partition within which the source's positions can be compared. It goes from its
 * first offset to that of the next epoch, so a record that is read again is in the epoch that it
 * was in before. What is remembered of it is its own: when a source counts from a new start, the
 * names of its snapshots may come again.
 *
 * @param number first part of the versions of all its changes; at least 0
 * @param start its first offset; at least 0
 * @param highWater the highest stream position seen; {@link Position#ZERO} if none
 * @param highWaterTimeMicros the newest source time of the stream's events up to {@code highWater};
 *     {@link Long#MIN_VALUE} if none
 * @param generations for each snapshot, named by its rows' own position, the stream position above
 *     which it ranks; and what else must be known to go on, under names that no snapshot has (see
 *     {@link #isRank})
 */
public record Epoch(
    int number,
    long start,
    Position highWater,
    long highWaterTimeMicros,
    Map<Position, Position> generations) {

  /** No offset. */
  static final long NOWHERE = -1;

  // No snapshot's name ends with another number than 0, no transaction's with another than 1.
  /**
   * Under which it is kept that the partition came late, with the position of a change that was
   * streamed here since; zero if none was.
   */
  static final Position CAME_LATE = new Position(0, 0, 2);

  private static final int STARTED_OVER = 3;
  private static final int REACHED_AGAIN = 4;

  public Epoch {
    if (number < 0 || start < 0) {
      throw new IllegalArgumentException(
          "An epoch's number and first offset are at least 0, got number "
              + number
              + ", offset "
              + start);
    }
    Map<Position, Position> kept = new HashMap<>(generations);
    // Above the high water that they are about, signs of a new start were none.
    Position standing = highWater;
    kept.entrySet().removeIf(e -> isSign(e.getKey()) && !e.getValue().equals(standing));
    long reached = reachedAgain(kept);
    kept.keySet().removeIf(name -> isSign(name) && name.p2() < reached); // nor were these
    generations = Map.copyOf(kept);
  }

  /** Under which it is kept that a record was below the high water, and newer. */
  static Position startedOverAt(long offset) {
    return new Position(0, offset, STARTED_OVER);
  }

  /** Under which it is kept that the high water was reached again after such records. */
  static Position reachedAgainAt(long offset) {
    return new Position(0, offset, REACHED_AGAIN);
  }

  /**
   * The offset of the first record below the high water, and newer, since that was reached; {@link
   * #NOWHERE} if there is none.
   */
  long startedOver() {
    return generations.keySet().stream()
        .filter(name -> isSign(name) && name.p3() == STARTED_OVER)
        .mapToLong(Position::p2)
        .min()
        .orElse(NOWHERE);
  }

  /** Where the high water was last reached again; {@link #NOWHERE} if it was not. */
  long reachedAgain() {
    return reachedAgain(generations);
  }

  private static long reachedAgain(Map<Position, Position> generations) {
    return generations.keySet().stream()
        .filter(name -> isSign(name) && name.p3() == REACHED_AGAIN)
        .mapToLong(Position::p2)
        .max()
        .orElse(NOWHERE);
  }

  static boolean isSign(Position name) {
    return name.p1() == 0 && (name.p3() == STARTED_OVER || name.p3() == REACHED_AGAIN);
  }

  /** Whether a name among the generations is one of something that has a rank. */
  public static boolean isRank(Position name) {
    return !isSign(name) && !name.equals(CAME_LATE);
  }

  /** An epoch of which nothing was read yet. */
  public static Epoch beginning(int number, long start) {
    return new Epoch(number, start, Position.ZERO, Long.MIN_VALUE, Map.of());
  }

  /**
   * The first epoch of a partition whose keys came from others, which were read before. That is
   * remembered among the generations: it must not be lost while only what changes nothing comes.
   */
  static Epoch comingLate(int number) {
    return new Epoch(number, 0, Position.ZERO, Long.MIN_VALUE, Map.of(CAME_LATE, Position.ZERO));
  }

  /** Whether its keys came from other partitions, which were read before. */
  public boolean cameLate() {
    return generations.containsKey(CAME_LATE);
  }

  /**
   * A position above all that any other partition held of keys that this one took over, as a change
   * has it that was streamed here. {@link Position#ZERO} if none was, or it did not come late.
   */
  public Position aboveFormerPlaces() {
    return generations.getOrDefault(CAME_LATE, Position.ZERO);
  }

  /**
   * What two readers of the same epoch know together: the higher position, the newest time, the
   * union of the generations. A generation that both know keeps the lower rank: it was ranked when
   * it first appeared, and no later reading can have seen less. A sign is about the higher. Of two
   * changes that were streamed since the partition came either would do; none is no change.
   */
  public Epoch merge(Epoch other) {
    NavigableMap<Position, Position> ranks = new TreeMap<>(generations);
    other.generations.forEach(
        (name, rank) -> ranks.merge(name, rank, (a, b) -> stays(name, a, b) ? a : b));
    return new Epoch(
        number,
        Math.min(start, other.start),
        other.highWater.isAfter(highWater) ? other.highWater : highWater,
        Math.max(highWaterTimeMicros, other.highWaterTimeMicros),
        ranks);
  }

  /** Whether it is {@code a} that both know under a name. */
  private static boolean stays(Position name, Position a, Position b) {
    boolean none = name.equals(CAME_LATE) && (a.equals(Position.ZERO) || b.equals(Position.ZERO));
    return (isSign(name) || none) == a.isAfter(b);
  }
}
