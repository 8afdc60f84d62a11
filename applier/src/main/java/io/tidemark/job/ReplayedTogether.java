package io.tidemark.job;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.StartOffsets.Range;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * From where the partitions of a topic are read again together. A key may have come from one to
 * another when partitions were added, and its delete lies where it was then. Kafka does not tell
 * when that was. But it took the delete after what it deletes.
 */
final class ReplayedTogether {
  private ReplayedTogether() {}

  /**
   * Refuses a replay that takes unknown keys for new ones, and leaves out where their deletes may
   * be.
   *
   * @param ranges what Kafka has
   * @param start the first offset to read, per partition
   * @param acceptsGaps whether it is accepted that what lies below is gone
   * @throws io.tidemark.failure.RefusedException with each such partition, and what to type
   */
  static void check(
      KafkaTopics kafka,
      String table,
      CommitRecord record,
      Map<TopicPartition, Range> ranges,
      Map<TopicPartition, Long> start,
      boolean acceptsGaps) {
    AcceptedReplay replay = AcceptedReplay.of(record, start);
    if (ranges.size() == 1 || !replay.isUnderWay()) {
      return;
    }
    Map<TopicPartition, Range> again = new TreeMap<>();
    replay.left().forEach((tp, end) -> again.put(tp, new Range(start.getOrDefault(tp, end), end)));
    Map<TopicPartition, Long> times = new TreeMap<>();
    kafka.search(
        again,
        found -> {
          TopicPartition tp = new TopicPartition(found.at().topic(), found.at().partition());
          times.putIfAbsent(tp, found.timestampMillis());
          return times.size() == again.size();
        });
    if (times.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> after =
        kafka.at(
            ranges,
            Instant.ofEpochMilli(times.values().stream().mapToLong(t -> t).min().getAsLong()));
    Map<TopicPartition, Long> needed = new TreeMap<>();
    after.forEach(
        (tp, offset) -> {
          PartitionProgress known = record.progress().partitions().get(tp);
          if (known != null) {
            long upTo = Math.min(offset, known.nextOffset());
            needed.put(tp, Math.max(upTo, known.origin()));
          }
        });
    AcceptedReplay.checkTogether(table, record.progress(), start, needed, acceptsGaps);
  }
}
