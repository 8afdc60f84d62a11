package io.tidemark.change;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * All that must be remembered of one partition so that its records get the same versions whenever
 * they are read again.
 *
 * @param nextOffset the offset to go on from: all below it was read
 * @param origin the first offset that was ever read
 * @param epochs at least one, by rising number and first offset; the first begins at 0
 */
public record PartitionProgress(long nextOffset, long origin, List<Epoch> epochs) {

  public PartitionProgress {
    if (origin < 0 || nextOffset < origin) {
      throw new IllegalArgumentException(
          "origin must be in 0..nextOffset, got origin " + origin + ", nextOffset " + nextOffset);
    }
    epochs = List.copyOf(epochs);
    if (epochs.isEmpty() || epochs.get(0).start() != 0) {
      throw new IllegalArgumentException("the first epoch must begin at offset 0, got " + epochs);
    }
    for (int i = 1; i < epochs.size(); i++) {
      if (epochs.get(i).number() <= epochs.get(i - 1).number()
          || epochs.get(i).start() <= epochs.get(i - 1).start()) {
        throw new IllegalArgumentException("epochs must rise, got " + epochs);
      }
    }
  }

  /** A partition in the epoch that every source begins with. */
  public PartitionProgress(
      long nextOffset,
      long origin,
      Position highWater,
      long highWaterTimeMicros,
      Map<Position, Position> generations) {
    this(nextOffset, origin, List.of(new Epoch(0, 0, highWater, highWaterTimeMicros, generations)));
  }

  /** Progress with these epochs, in any order, also such as are taken back by others. */
  public static PartitionProgress of(long nextOffset, long origin, Collection<Epoch> epochs) {
    return new PartitionProgress(nextOffset, origin, standing(epochs));
  }

  /** A partition of which nothing was read yet. */
  public static PartitionProgress startingAt(long offset) {
    return startingAt(offset, 0);
  }

  /** A partition of which nothing was read yet, all of it in the epoch of this number. */
  public static PartitionProgress startingAt(long offset, int epoch) {
    return new PartitionProgress(offset, offset, List.of(Epoch.beginning(epoch, 0)));
  }

  /**
   * A partition of which nothing was read yet, of a topic that the table was read from before.
   *
   * @param epoch the newest of the other partitions: what keys had there must not stand above what
   *     they get here
   */
  public static PartitionProgress comingLateAt(long offset, int epoch) {
    return new PartitionProgress(offset, offset, List.of(Epoch.comingLate(epoch)));
  }

  /** The epoch of what comes at the end of the partition. */
  public Epoch last() {
    return epochs.get(epochs.size() - 1);
  }

  /** The same where all below {@code offset} counts as read; nothing changes if it does already. */
  public PartitionProgress skippingTo(long offset) {
    return new PartitionProgress(Math.max(nextOffset, offset), origin, epochs);
  }

  /**
   * The same where an epoch begins. One that was to begin at or above {@code offset} is taken back:
   * nothing of it was read.
   *
   * @param number above those of all epochs here
   * @param offset at least {@link #nextOffset}: what was read keeps its versions
   */
  public PartitionProgress beginning(int number, long offset) {
    if (number <= last().number() || offset < nextOffset) {
      throw new IllegalArgumentException(
          "epoch " + number + " cannot begin at offset " + offset + " of " + this);
    }
    List<Epoch> all = new ArrayList<>(epochs);
    all.add(Epoch.beginning(number, offset));
    return of(nextOffset, origin, all);
  }

  /** What two readers of the same partition know together, of each epoch. */
  public PartitionProgress merge(PartitionProgress other) {
    NavigableMap<Integer, Epoch> all = new TreeMap<>();
    epochs.forEach(epoch -> all.put(epoch.number(), epoch));
    other.epochs.forEach(epoch -> all.merge(epoch.number(), epoch, Epoch::merge));
    return of(Math.max(nextOffset, other.nextOffset), Math.min(origin, other.origin), all.values());
  }

  /** An epoch that begins where a later one has begun is empty. */
  private static List<Epoch> standing(Collection<Epoch> epochs) {
    Epoch[] byNumber = epochs.toArray(new Epoch[0]);
    Arrays.sort(byNumber, (a, b) -> Integer.compare(a.number(), b.number()));
    List<Epoch> standing = new ArrayList<>();
    for (Epoch epoch : byNumber) {
      standing.removeIf(earlier -> earlier.start() >= epoch.start());
      standing.add(epoch);
    }
    return standing;
  }
}
