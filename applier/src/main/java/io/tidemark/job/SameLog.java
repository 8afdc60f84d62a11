package io.tidemark.job;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.LastRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.RefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether Kafka still has, in its place, the last record that a table was made from. Where another
 * one stands there, the end of the partition was lost and written anew: a start at the recorded
 * offset would never read what is new below it.
 */
final class SameLog {
  private SameLog() {}

  /**
   * Refuses another log, but where all of it is read.
   *
   * @param ranges what Kafka has
   * @param from the offset that each partition is read from
   * @throws RefusedException naming each partition, what was recorded and what was found
   */
  static void check(
      KafkaTopics kafka,
      String table,
      Progress recorded,
      Map<TopicPartition, Range> ranges,
      Map<TopicPartition, Long> from) {
    Map<TopicPartition, Range> places = new TreeMap<>();
    ranges.forEach(
        (tp, range) -> {
          LastRecord last = recorded.lastRecords().get(tp);
          if (last != null
              && last.offset() >= range.begin()
              && last.offset() < range.end()
              && from.getOrDefault(tp, 0L) > first(recorded, tp, range)) {
            places.put(tp, new Range(last.offset(), last.offset() + 1));
          }
        });
    if (places.isEmpty()) {
      return;
    }
    List<String> problems = new ArrayList<>();
    // What is not there any more was compacted away, and says nothing.
    kafka.search(
        places,
        record -> {
          String problem = problem(record, recorded);
          if (problem != null) {
            problems.add(problem);
          }
          return false;
        });
    if (!problems.isEmpty()) {
      throw new RefusedException(
          "Table "
              + table
              + " was made from another log than Kafka has now:\n  "
              + String.join("\n  ", problems.stream().sorted().toList())
              + "\nThe end of the partition was lost and written anew, as by an unclean election of"
              + " a leader or a broker that was restored from a copy. What is new below the"
              + " recorded offsets was not read. To read all that Kafka has, start without state and"
              + " add --from earliest");
    }
  }

  /** Where a replay of all that is there begins. */
  private static long first(Progress recorded, TopicPartition tp, Range range) {
    PartitionProgress known = recorded.partitions().get(tp);
    return known == null ? range.begin() : Math.max(known.origin(), range.begin());
  }

  private static @Nullable String problem(RawRecord record, Progress recorded) {
    TopicPartition tp = new TopicPartition(record.at().topic(), record.at().partition());
    LastRecord before = recorded.lastRecords().get(tp);
    LastRecord now =
        LastRecord.of(record.at().offset(), record.timestampMillis(), record.key(), record.value());
    if (before == null || before.equals(now)) {
      return null;
    }
    return String.format(
        "%s: at offset %d was a record of %s with the hash %016x, now there is a record of %s with"
            + " the hash %016x",
        tp,
        before.offset(),
        Instant.ofEpochMilli(before.timestampMillis()),
        before.hash(),
        Instant.ofEpochMilli(now.timestampMillis()),
        now.hash());
  }
}
