package io.tidemark.job;

import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.RankRefused;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Gaps;
import io.tidemark.commit.Progress;
import io.tidemark.commit.ProgressText;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.flink.Decoder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a partition held before a record, where no letter says it: by reading it again
 * from where the table was begun, if Kafka still has all of that. Records that were put aside, and
 * those in accepted gaps, are passed over, as they were then.
 */
final class RankedInLog {
  private final Progress recorded;
  private final Gaps gaps;
  private final Set<SourceOffset> aside = new HashSet<>();
  private final Set<SourceOffset> wanted = new HashSet<>();
  private final Map<SourceOffset, String> found = new HashMap<>();

  RankedInLog(Progress recorded, List<DeadLetters.Standing> standing) {
    this.recorded = recorded;
    this.gaps = new Gaps(recorded.gaps());
    for (DeadLetters.Standing each : standing) {
      SourceOffset at = each.letter().record().at();
      if (each.ranks() == null || each.ranks().startsWith("{")) {
        aside.add(at); // what has a version was decoded, and counted
      }
      if (each.ranks() == null && !each.letter().drop()) {
        wanted.add(at);
      }
    }
  }

  /** Reads as far as is needed, which is nothing where all letters say it. */
  void read(KafkaTopics kafka, Map<TopicPartition, Range> has, Decoder decoder) {
    Map<TopicPartition, Range> parts = new TreeMap<>();
    Map<TopicPartition, PartitionLedger> ledgers = new HashMap<>();
    for (SourceOffset at : wanted) {
      TopicPartition partition = partition(at);
      PartitionProgress known = recorded.partitions().get(partition);
      Range range = has.get(partition);
      if (known != null && range != null && range.begin() <= known.origin()) {
        long end = Math.min(at.offset() + 1, range.end());
        parts.merge(
            partition,
            new Range(known.origin(), Math.max(known.origin(), end)),
            (a, b) -> new Range(a.begin(), Math.max(a.end(), b.end())));
        ledgers.put(partition, new PartitionLedger(unread(known)));
      }
    }
    if (!parts.isEmpty()) {
      kafka.search(parts, record -> passed(record, decoder, ledgers));
    }
  }

  private boolean passed(
      RawRecord record, Decoder decoder, Map<TopicPartition, PartitionLedger> ledgers) {
    PartitionLedger ledger = ledgers.get(partition(record.at()));
    if (ledger == null) {
      return false;
    }
    if (wanted.contains(record.at())) {
      found.put(record.at(), ProgressText.of(partition(record.at()), ledger.progress()));
    }
    if (!aside.contains(record.at())
        && !gaps.have(record.at())
        && decoder.decode(record) instanceof DecodeResult.Decoded change) {
      try {
        ledger.rank(change.source(), change.sourceTimeMicros(), record.at().offset());
      } catch (RankRefused e) {
        ledgers.remove(partition(record.at())); // what follows cannot be ranked in this way
      }
    }
    return false;
  }

  /** What the partition held before a record; null if that is not known. */
  @Nullable String of(SourceOffset at) {
    return found.get(at);
  }

  /** The epochs as they were begun, and nothing read of them. */
  private static PartitionProgress unread(PartitionProgress known) {
    return new PartitionProgress(
        known.origin(),
        known.origin(),
        known.epochs().stream()
            .map(epoch -> Epoch.beginning(epoch.number(), epoch.start()))
            .toList());
  }

  private static TopicPartition partition(SourceOffset at) {
    return new TopicPartition(at.topic(), at.partition());
  }
}
