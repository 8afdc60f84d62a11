package io.tidemark.change;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Gives the records of one partition, read in Kafka's order, their commit versions.
 *
 * <p>A stream event has its own position. A snapshot's rows do not: the position that they carry
 * belongs to the snapshot, not to the rows. Within one partition Kafka's order is the source's
 * order of emission, so a snapshot stands just above all that was streamed into this partition
 * before its first row, and below all that was streamed after. That rank is kept under the
 * snapshot's name: its rows get it again in every replay and copy.
 *
 * <p>Not thread-safe; one instance per partition and reader.
 */
public final class PartitionLedger {
  /** How much newer than the high water a lower position's source time may be. */
  static final Duration TOLERANCE = Duration.ofSeconds(10);

  /** Lifts a {@code p2} over all others with the same {@code p1}; no source's log is that long. */
  private static final long LIFTED = 1L << 62;

  private final Map<Position, Position> generations;
  private final long passedBefore;
  private final boolean late;
  private final int epoch;
  private long origin;
  private long nextOffset;
  private Position highWater;
  private long highWaterTimeMicros;
  private @Nullable CommitVersion highest;

  /**
   * Goes on from what is known of the partition.
   *
   * @param epoch the epoch of all that is read; at least 0
   */
  public PartitionLedger(PartitionProgress known, int epoch) {
    this.generations = new HashMap<>(known.generations());
    this.passedBefore = known.nextOffset();
    this.late = known.cameLate();
    this.origin = known.origin();
    this.epoch = epoch;
    this.nextOffset = known.nextOffset();
    this.highWater = known.highWater();
    this.highWaterTimeMicros = known.highWaterTimeMicros();
  }

  /**
   * The version of the next record.
   *
   * @param timeMicros the source's time of the event, microseconds since the epoch
   * @throws RankRefused if the source's positions started over, an unknown snapshot is read below
   *     what was read before, or a late partition brings what only its keys' older partitions could
   *     rank; nothing is remembered of the record then
   */
  public CommitVersion rank(SourcePosition source, long timeMicros, long offset) {
    CommitVersion version = version(source, timeMicros, offset);
    if (highest == null || version.compareTo(highest) > 0) {
      highest = version;
    }
    return version;
  }

  private CommitVersion version(SourcePosition source, long timeMicros, long offset) {
    if (late && highWater.equals(Position.ZERO)) {
      refuseWithoutHistory(source);
    }
    if (source instanceof SourcePosition.Snapshot snapshot) {
      return new CommitVersion(epoch, generation(snapshot, offset), CommitVersion.SNAPSHOT, offset);
    }
    Position position = source.position();
    if (source instanceof SourcePosition.Opening opening) {
      position = place(opening, timeMicros, offset);
    }
    if (source instanceof SourcePosition.Incremental) {
      // Neither a sign that positions started over, nor a time to compare with commit times.
      highWater = position.isAfter(highWater) ? position : highWater;
    } else if (!(source instanceof SourcePosition.Given)) {
      raise(position, timeMicros, offset);
    }
    return new CommitVersion(epoch, position, CommitVersion.STREAM, offset);
  }

  /** The highest version that this reader gave; null if none. */
  public @Nullable CommitVersion highest() {
    return highest;
  }

  /** Notes that the record at {@code offset} is dealt with, whatever it was. */
  public void passed(long offset) {
    nextOffset = offset + 1;
    // Whoever reads below the origin moves it: the table is then built from there.
    origin = Math.min(origin, offset);
  }

  /** What must be remembered to go on after the records passed so far. */
  public PartitionProgress progress() {
    return new PartitionProgress(nextOffset, origin, highWater, highWaterTimeMicros, generations);
  }

  /**
   * Keys came to a late partition from others, and nothing of what was streamed of them there is
   * known here. Once a change was streamed here, its position is above all that.
   */
  private static void refuseWithoutHistory(SourcePosition source) {
    boolean byOffset =
        source instanceof SourcePosition.Given && source.position().equals(Position.ZERO);
    if (byOffset || source instanceof SourcePosition.Snapshot) {
      throw new RankRefused(
          "this partition came after the table had been read from others, and it brings "
              + (byOffset ? "changes that only their offsets order" : "rows of a snapshot")
              + ": they do not compare with what the other partitions held of their keys. Build the table"
              + " anew from the beginning of the topic");
    }
  }

  private Position generation(SourcePosition.Snapshot snapshot, long offset) {
    Position rank = generations.get(snapshot.position());
    if (rank == null) {
      // Not the origin: a replay moves that one, and rows may have been passed without a rank.
      if (offset < passedBefore) {
        throw new RankRefused(
            "a row of snapshot "
                + snapshot.position()
                + " lies below offset "
                + passedBefore
                + ", up to which this table has been read from offset "
                + origin
                + ", and none of that snapshot's rows was applied then: what was streamed before it is"
                + " unknown, so its place in the order is unknown too. Start above that snapshot, or"
                + " build the table anew from the beginning of the topic");
      }
      rank = highWater;
      generations.put(snapshot.position(), rank);
    }
    return rank;
  }

  /**
   * A low position with a new time, in the first transaction after a snapshot, is a transaction
   * that was open at the snapshot. It stands just above what was read before it, the snapshot's
   * rows among it, and below the next transaction, whose {@code p1} is this one's commit. Where it
   * stands is kept, like the rank of a snapshot, under a name that no snapshot has: its {@code p1}
   * is 0.
   */
  private Position place(SourcePosition.Opening opening, long timeMicros, long offset) {
    Position own = opening.position();
    Position name = new Position(0, opening.transaction(), 1);
    Position below = generations.get(name);
    if (below == null
        && !own.isAfter(highWater)
        && timeMicros > highWaterTimeMicros
        && offset >= passedBefore) {
      below = highWater;
      generations.put(name, below);
    }
    return below == null ? own : new Position(below.p1(), own.p2() | LIFTED, own.p3());
  }

  private void raise(Position position, long timeMicros, long offset) {
    int order = position.compareTo(highWater);
    if (order >= 0) {
      highWater = position;
      // The newest so far, not this event's: a copy of a record with a newer time may stand at a
      // lower position.
      highWaterTimeMicros = Math.max(highWaterTimeMicros, timeMicros);
      return;
    }
    // A copy or a replay of an old event carries its old time. A low position with a new time is no
    // copy: the source counts from a new start, and every comparison with what it wrote before
    // lies.
    if (highWaterTimeMicros != Long.MIN_VALUE
        && timeMicros - highWaterTimeMicros > TOLERANCE.toNanos() / 1000) {
      throw new RankRefused(
          "position "
              + position
              + " is below "
              + highWater
              + ", already seen in this partition, but its source time "
              + instant(timeMicros)
              + " is newer than "
              + instant(highWaterTimeMicros)
              + ": the source's positions started over (fail-over, restore or a new server) at offset "
              + offset
              + ". Have it take a new snapshot into a new topic, and route that to a new table");
    }
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
  }
}
