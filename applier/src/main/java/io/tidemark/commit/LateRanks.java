package io.tidemark.commit;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.RankRefused;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.TopicPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives records that were put aside the versions that they would have had in their turn.
 *
 * <p>A record's version follows from what its partition held before it. The table's record says
 * what it holds now; what it held then, the dead letter says itself. Records that were put aside
 * earlier in the same partition count as well, so they must come in the order of their offsets.
 *
 * <p>What was read meanwhile was ranked without them, and keeps its versions. A snapshot that came
 * later may therefore rank below a change that was put aside before it, although its rows are
 * newer: such a change is refused. Not thread-safe.
 */
public final class LateRanks {
  private final Progress recorded;
  private final Map<TopicPartition, Map<Integer, Epoch>> learned = new HashMap<>();

  /** For a table with a record. */
  public LateRanks(Progress recorded) {
    this.recorded = recorded;
  }

  /**
   * The version of a record that was put aside.
   *
   * @param timeMicros the source's time of the change, microseconds since the epoch
   * @param ranks what was known of its partition, as {@link ProgressText} has it, or the version
   *     itself; null if nobody noted it
   * @throws RankRefused if its place in the order is not known
   */
  public CommitVersion rank(
      SourcePosition source, long timeMicros, SourceOffset at, @Nullable String ranks) {
    TopicPartition partition = new TopicPartition(at.topic(), at.partition());
    PartitionProgress now = known(partition, at.offset());
    if (!source.isOfLog()) {
      return new PartitionLedger(now).rank(source, timeMicros, at.offset());
    }
    if (ranks == null) {
      throw new RankRefused(
          "nothing says what its partition held when it was read for the first time. Copy the header"
              + " tidemark.ranks from the letter that the job wrote then");
    }
    return ranks.startsWith("{")
        ? rank(source, timeMicros, at.offset(), now, then(partition, ranks), partition)
        : version(ranks, at.offset());
  }

  /** What the table's record is to know from now on. */
  public Progress progress() {
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>(recorded.partitions());
    learned.forEach(
        (partition, epochs) ->
            partitions.computeIfPresent(
                partition,
                (same, now) -> {
                  PartitionProgress more = now;
                  for (Epoch epoch : epochs.values()) {
                    more = more.merge(with(now, now.nextOffset(), epoch));
                  }
                  return more;
                }));
    return new Progress(partitions, recorded.topicIds(), recorded.gaps(), recorded.lastRecords());
  }

  /** Where a record may lie. */
  private PartitionProgress known(TopicPartition partition, long offset) {
    PartitionProgress now = recorded.partitions().get(partition);
    if (now == null || offset < now.origin()) {
      throw new RankRefused(
          "the table was never read from there: "
              + (now == null
                  ? "its record does not name the partition"
                  : "it was begun at offset " + now.origin()));
    }
    if (offset >= now.nextOffset()) {
      throw new RankRefused(
          "the table has been read up to offset "
              + now.nextOffset()
              + " only. Let the job go on first: it reads this record itself");
    }
    return now;
  }

  private static PartitionProgress then(TopicPartition partition, String ranks) {
    try {
      PartitionProgress then = ProgressText.parse(partition, ranks);
      if (then != null) {
        return then;
      }
    } catch (IllegalArgumentException e) {
      throw new RankRefused("header tidemark.ranks is not what Tidemark wrote");
    }
    throw new RankRefused("header tidemark.ranks is of another partition");
  }

  private static CommitVersion version(String text, long offset) {
    try {
      CommitVersion version = CommitVersion.parse(text);
      if (version.offset() == offset) {
        return version;
      }
    } catch (IllegalArgumentException e) {
      throw new RankRefused("header tidemark.ranks is not what Tidemark wrote");
    }
    throw new RankRefused("header tidemark.ranks is of another record");
  }

  private CommitVersion rank(
      SourcePosition source,
      long timeMicros,
      long offset,
      PartitionProgress now,
      PartitionProgress then,
      TopicPartition partition) {
    Epoch recordedEpoch = epochOf(now, offset);
    Epoch before = ofNumber(then, recordedEpoch.number());
    if (before == null) {
      throw new RankRefused(
          "epoch "
              + recordedEpoch.number()
              + " was begun since it was put aside, at or below its offset");
    }
    Map<Integer, Epoch> put = learned.computeIfAbsent(partition, unseen -> new HashMap<>());
    Epoch others = put.get(recordedEpoch.number());
    Epoch known = others == null ? before : before.merge(others);
    Map<Position, Position> generations = new HashMap<>(known.generations());
    generations.putAll(recordedEpoch.generations()); // rows that were read have these ranks
    PartitionLedger ledger =
        new PartitionLedger(
            with(
                now,
                offset,
                new Epoch(
                    recordedEpoch.number(),
                    recordedEpoch.start(),
                    known.highWater(),
                    known.highWaterTimeMicros(),
                    generations)));
    CommitVersion version = ledger.rank(source, timeMicros, offset);
    refuseAboveLater(version, source, known, recordedEpoch);
    // With its own snapshot, and without those that came later.
    Set<Position> names = new HashSet<>(known.generations().keySet());
    names.add(name(source));
    put.put(recordedEpoch.number(), narrowed(epochOf(ledger.progress(), offset), names));
    return version;
  }

  private static void refuseAboveLater(
      CommitVersion version, SourcePosition source, Epoch known, Epoch recorded) {
    recorded
        .generations()
        .forEach(
            (name, rank) -> {
              if (Epoch.isRank(name)
                  && !known.generations().containsKey(name)
                  && !name.equals(name(source))
                  && version.position().isAfter(rank)) {
                throw new RankRefused(
                    "the source took a snapshot (or ended a transaction that was open at one) after this"
                        + " change, and nothing that was read tells that it came after: its rows are"
                        + " newer, and would lose. If the snapshot holds the row, leave the change out"
                        + " (header tidemark.drop); if not, change the row at the source");
              }
            });
  }

  /** The name under which a rank is kept; one that nothing has for a change with its own place. */
  private static Position name(SourcePosition source) {
    if (source instanceof SourcePosition.Snapshot snapshot) {
      return snapshot.position();
    }
    Position opening = source instanceof SourcePosition.Opening open ? open.name() : null;
    return opening == null ? Position.ZERO : opening;
  }

  private static Epoch narrowed(Epoch epoch, Set<Position> names) {
    Map<Position, Position> generations = new HashMap<>(epoch.generations());
    generations.keySet().retainAll(names);
    return new Epoch(
        epoch.number(), epoch.start(), epoch.highWater(), epoch.highWaterTimeMicros(), generations);
  }

  /** The partition with another of its epochs, read up to an offset. */
  private static PartitionProgress with(PartitionProgress now, long offset, Epoch epoch) {
    List<Epoch> epochs = new ArrayList<>(now.epochs());
    epochs.replaceAll(each -> each.number() == epoch.number() ? epoch : each);
    return new PartitionProgress(offset, now.origin(), epochs);
  }

  private static Epoch epochOf(PartitionProgress partition, long offset) {
    Epoch found = partition.epochs().get(0);
    for (Epoch epoch : partition.epochs()) {
      found = epoch.start() <= offset ? epoch : found;
    }
    return found;
  }

  private static @Nullable Epoch ofNumber(PartitionProgress partition, int number) {
    return partition.epochs().stream()
        .filter(epoch -> epoch.number() == number)
        .findFirst()
        .orElse(null);
  }
}
