package io.tidemark.change;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Gives the records of one epoch of one partition, read in Kafka's order, their positions. */
final class EpochLedger {
  /** How much newer than the high water a lower position's source time may be. */
  static final Duration TOLERANCE = Duration.ofSeconds(10);

  /** A {@code p2} below its top byte: no source's log is longer. */
  private static final int LOG_BITS = 56;

  /** Top byte of a {@code p2} that is lifted over all others with the same {@code p1}. */
  private static final long LIFTED = 0x40;

  private static final long NOWHERE = Epoch.NOWHERE;

  private final int number;
  private final long start;
  private final boolean late;
  private final @Nullable Position elsewhere;
  private final long passedBefore;
  private final long readFrom;
  private final Map<Position, Position> generations;
  private Position highWater;
  private long highWaterTimeMicros;
  private long startedOver;
  private long reachedAgain;
  private long namedAgain = NOWHERE;

  /**
   * Goes on from what is known of the epoch.
   *
   * @param partition what is known of its partition
   * @param elsewhere what its positions must be above where others were added; null if none was
   */
  EpochLedger(Epoch known, PartitionProgress partition, @Nullable Position elsewhere) {
    this.number = known.number();
    this.start = known.start();
    this.late = known.cameLate();
    this.elsewhere = elsewhere;
    this.passedBefore = partition.nextOffset();
    this.readFrom = partition.origin();
    this.generations = new HashMap<>(known.generations());
    this.highWater = known.highWater();
    this.highWaterTimeMicros = known.highWaterTimeMicros();
    this.startedOver = known.startedOver();
    this.reachedAgain = known.reachedAgain();
    generations.keySet().removeIf(Epoch::isSign);
  }

  long start() {
    return start;
  }

  Epoch progress() {
    Map<Position, Position> kept = new HashMap<>(generations);
    if (startedOver != NOWHERE) {
      kept.put(Epoch.startedOverAt(startedOver), highWater);
    }
    if (reachedAgain != NOWHERE) {
      kept.put(Epoch.reachedAgainAt(reachedAgain), highWater);
    }
    return new Epoch(number, start, highWater, highWaterTimeMicros, kept);
  }

  CommitVersion rank(SourcePosition source, long timeMicros, long offset) {
    boolean first = late && highWater.equals(Position.ZERO);
    if (first || (elsewhere != null && offset >= passedBefore && !highWater.isAfter(elsewhere))) {
      refuseWithoutHistory(source, offset, first);
    }
    if (source instanceof SourcePosition.Snapshot snapshot) {
      return new CommitVersion(
          number, generation(snapshot, timeMicros, offset), CommitVersion.SNAPSHOT, offset);
    }
    Position position = source.position();
    if (source instanceof SourcePosition.Opening opening) {
      position = place(opening, timeMicros, offset);
    }
    if (source instanceof SourcePosition.Incremental) {
      // Neither a sign that positions started over, nor a time to compare with commit times.
      rise(position);
    } else if (source.isOfLog()) {
      boolean raised = raise(position, timeMicros, offset);
      if (raised && source instanceof SourcePosition.Stream) {
        namedAgain = NOWHERE; // a new server's first transaction may seem one that was open
        // The stream came here after it went to the former places of keys, so this is above those.
        generations.replace(Epoch.CAME_LATE, Position.ZERO, position);
      }
    }
    return new CommitVersion(number, position, CommitVersion.STREAM, offset);
  }

  /**
   * Where partitions are added keys move, also between those that were there, and nothing of what
   * was streamed of them elsewhere is known here. Once a change was streamed here, its position is
   * above all that: in a late partition the first one; in one that was there the first above all
   * that was seen elsewhere.
   */
  private void refuseWithoutHistory(SourcePosition source, long offset, boolean first) {
    boolean byOffset = source instanceof SourcePosition.ByOffset;
    boolean unranked =
        source instanceof SourcePosition.Snapshot && !generations.containsKey(source.position());
    if (byOffset || unranked) {
      throw RankRefused.untilAnEpochBegins(
          (first
                  ? "this partition came after the table had been read from others, and it brings "
                  : "partitions came to this topic after the table had been read, and this one brings ")
              + (byOffset ? "changes that only their offsets order" : "rows of a snapshot")
              + ": they do not compare with what the other partitions held of their keys",
          offset,
          true);
    }
  }

  private Position generation(SourcePosition.Snapshot snapshot, long timeMicros, long offset) {
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
                + readFrom
                + ", and none of that snapshot's rows was applied then: what was streamed before it is"
                + " unknown, so its place in the order is unknown too. Start above that snapshot, or"
                + " build the table anew from the beginning of the topic");
      }
      rank = highWater;
      generations.put(snapshot.position(), rank);
    } else if (namedAgain == NOWHERE
        && highWater.isAfter(rank)
        && timeMicros > highWaterTimeMicros
        && offset >= passedBefore) {
      // A copy, by the clock of the connector, or the snapshot of a new server which has the name
      // of an earlier one. That is told when the new server's changes come.
      namedAgain = offset;
    }
    return rank;
  }

  /**
   * A low position with a new time, in the first transaction after a snapshot, is a transaction
   * that was open at the snapshot. It stands just above what was read before it, the snapshot's
   * rows among it, and below the next transaction, whose {@code p1} is this one's commit. Where it
   * stands is kept, like the rank of a snapshot.
   */
  private Position place(SourcePosition.Opening opening, long timeMicros, long offset) {
    Position own = opening.position();
    Position name = opening.name();
    Position below = name == null ? null : generations.get(name);
    if (below == null
        && !own.isAfter(highWater)
        && timeMicros > highWaterTimeMicros
        && offset >= passedBefore) {
      if (name == null) {
        throw unnamed(own, offset);
      }
      below = highWater;
      generations.put(name, below);
    }
    return below == null
        ? own
        : new Position(below.p1(), own.p2() | above(below.p2()) << LOG_BITS, own.p3());
  }

  /** Nothing could tell its changes from others in a replay, so there is no rank to give them. */
  private RankRefused unnamed(Position own, long offset) {
    return RankRefused.untilAnEpochBegins(
        "position "
            + own
            + " is below "
            + highWater
            + ", already seen in this partition, at a newer source time. It is of the first transaction"
            + " after a snapshot or a new start of the connector, and would stand below rows that it"
            + " changed; where it stands can be kept only by source.txId, which is missing. Have the"
            + " transform add it from now on (add.fields, add.headers)",
        offset,
        false);
  }

  /** The top byte of what stands above {@code p2}, which may be lifted itself. */
  private static long above(long p2) {
    return Math.min(Math.max(LIFTED, (p2 >>> LOG_BITS) + 1), 0xff);
  }

  /** Above the high water signs of a new start were none. */
  private void rise(Position position) {
    if (position.isAfter(highWater)) {
      highWater = position;
      startedOver = NOWHERE;
      reachedAgain = NOWHERE;
    }
  }

  private boolean raise(Position position, long timeMicros, long offset) {
    rise(position);
    if (position.equals(highWater)) {
      if (startedOver != NOWHERE && offset >= passedBefore) {
        reachedAgain = offset;
        startedOver = NOWHERE;
      }
      // The newest so far, not this event's: a copy of a record with a newer time may stand at a
      // lower position.
      highWaterTimeMicros = Math.max(highWaterTimeMicros, timeMicros);
      return true;
    }
    if (highWaterTimeMicros != Long.MIN_VALUE && timeMicros > highWaterTimeMicros) {
      refuseIfStartedOver(position, timeMicros, offset);
    }
    return false;
  }

  /**
   * A copy or a replay of an old event carries its old time. A low position with a new time is no
   * copy: the source counts from a new start, and every comparison with what it wrote before lies.
   * Where that is certain, the first such record is where the new start was. It is kept until the
   * high water is reached again, so that whoever goes on from here knows it.
   */
  private void refuseIfStartedOver(Position position, long timeMicros, long offset) {
    if (timeMicros - highWaterTimeMicros <= TOLERANCE.toNanos() / 1000) {
      if (startedOver == NOWHERE && offset >= passedBefore) {
        startedOver = offset;
      }
      return;
    }
    long first = startedOver == NOWHERE ? offset : startedOver;
    throw RankRefused.untilAnEpochBegins(
        "position "
            + position
            + " is below "
            + highWater
            + ", already seen in this partition, but its source time "
            + instant(timeMicros)
            + " is newer than "
            + instant(highWaterTimeMicros)
            + ": the source's positions started over (fail-over, restore or a new server) at offset "
            + first
            + (namedAgain == NOWHERE
                ? ""
                : ". Rows of a snapshot from offset "
                    + namedAgain
                    + " on have the name of an earlier snapshot and rank with it: if the new server"
                    + " took it, the epoch must begin there"),
        first,
        false);
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
  }
}
