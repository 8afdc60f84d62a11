package io.tidemark.change;

import java.util.List;
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
 * <p>All that holds within an epoch. Which one a record is in, its offset alone says.
 *
 * <p>Not thread-safe; one instance per partition and reader.
 */
public final class PartitionLedger {
  private final List<EpochLedger> epochs;
  private long origin;
  private long nextOffset;
  private @Nullable CommitVersion highest;

  /** Goes on from what is known of the partition. */
  public PartitionLedger(PartitionProgress known) {
    this(known, null);
  }

  /**
   * Goes on from what is known of the partition, in a topic that has more of them than it had.
   *
   * @param elsewhere a position above which is none that another partition held when partitions
   *     were added: keys may have come from there to here; null if none was added since the newest
   *     epoch began
   */
  public PartitionLedger(PartitionProgress known, @Nullable Position elsewhere) {
    this.epochs =
        known.epochs().stream()
            .map(
                epoch ->
                    new EpochLedger(epoch, known, epoch.equals(known.last()) ? elsewhere : null))
            .toList();
    this.origin = known.origin();
    this.nextOffset = known.nextOffset();
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
    CommitVersion version = epochOf(offset).rank(source, timeMicros, offset);
    if (highest == null || version.compareTo(highest) > 0) {
      highest = version;
    }
    return version;
  }

  private EpochLedger epochOf(long offset) {
    int last = epochs.size() - 1;
    while (epochs.get(last).start() > offset) {
      last--; // the first begins at 0
    }
    return epochs.get(last);
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
    return new PartitionProgress(
        nextOffset, origin, epochs.stream().map(EpochLedger::progress).toList());
  }
}
