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

  private final Map<Position, Position> generations;
  private final long origin;
  private final int epoch;
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
   * @throws RankRefused if the source's positions started over, or an unknown snapshot is read
   *     below the partition's origin; nothing is remembered of the record then
   */
  public CommitVersion rank(SourcePosition source, long timeMicros, long offset) {
    CommitVersion version = version(source, timeMicros, offset);
    if (highest == null || version.compareTo(highest) > 0) {
      highest = version;
    }
    return version;
  }

  private CommitVersion version(SourcePosition source, long timeMicros, long offset) {
    if (source instanceof SourcePosition.Snapshot snapshot) {
      return new CommitVersion(epoch, generation(snapshot, offset), CommitVersion.SNAPSHOT, offset);
    }
    if (source instanceof SourcePosition.Stream stream) {
      raise(stream.position(), timeMicros, offset);
    }
    return new CommitVersion(epoch, source.position(), CommitVersion.STREAM, offset);
  }

  /** The highest version that this reader gave; null if none. */
  public @Nullable CommitVersion highest() {
    return highest;
  }

  /** Notes that the record at {@code offset} is dealt with, whatever it was. */
  public void passed(long offset) {
    nextOffset = offset + 1;
  }

  /** What must be remembered to go on after the records passed so far. */
  public PartitionProgress progress() {
    // Whoever reads below the origin moves it: the table is then built from there.
    return new PartitionProgress(
        nextOffset, Math.min(origin, nextOffset), highWater, highWaterTimeMicros, generations);
  }

  private Position generation(SourcePosition.Snapshot snapshot, long offset) {
    Position rank = generations.get(snapshot.position());
    if (rank == null) {
      if (offset < origin) {
        throw new RankRefused(
            "a row of snapshot "
                + snapshot.position()
                + " lies below offset "
                + origin
                + ", the first that this table was built from, and that snapshot was never seen above it:"
                + " what was streamed before it is unknown, so its place in the order is unknown too."
                + " Start from offset "
                + origin
                + " or above, or build the table anew from the beginning of the topic");
      }
      rank = highWater;
      generations.put(snapshot.position(), rank);
    }
    return rank;
  }

  private void raise(Position position, long timeMicros, long offset) {
    int order = position.compareTo(highWater);
    if (order >= 0) {
      highWater = position;
      // The newest so far, not this event's: rows of an incremental snapshot carry the connector's
      // clock, which may be far ahead of the commit times of a stream that lags, and a copy of them
      // must not look newer than what stands here.
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
              + ". Begin a new epoch at this offset");
    }
  }

  private static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000);
  }
}
