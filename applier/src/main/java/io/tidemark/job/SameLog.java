package io.tidemark.job;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Gap;
import io.tidemark.commit.LastRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.RefusedException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether Kafka still has, in its place, the last record that a table was made from, and none
 * between it and the recorded offset. Else the end of the partition was lost and written anew: a
 * start at the recorded offset would never read what is new below it.
 *
 * <p>In the same log no record comes in between. What lies there was not one when it was passed
 * over: marks, aborted and compacted records, which stay what they are. Or it lies in a gap that
 * somebody accepted.
 */
public final class SameLog {
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
    List<String> problems = problems(kafka, recorded, ranges, from);
    if (!problems.isEmpty()) {
      throw new RefusedException(
          "Table "
              + table
              + " was made from another log than Kafka has now:\n  "
              + String.join("\n  ", problems)
              + "\nThe end of the partition was lost and written anew, as by an unclean election of"
              + " a leader or a broker that was restored from a copy. What is new below the"
              + " recorded offsets was not read. To read all that Kafka has, start without state and"
              + " add --from earliest, with --accept-horizon beside it if that is refused because"
              + " keys were forgotten");
    }
  }

  /**
   * What is another record than the table was made from, the first of each partition.
   *
   * @param ranges what Kafka has
   * @param from the offset that each partition is read from
   */
  public static List<String> problems(
      KafkaTopics kafka,
      Progress recorded,
      Map<TopicPartition, Range> ranges,
      Map<TopicPartition, Long> from) {
    Map<TopicPartition, Deque<Range>> places = new TreeMap<>();
    ranges.forEach(
        (tp, range) -> {
          LastRecord last = recorded.lastRecords().get(tp);
          if (last != null && from.getOrDefault(tp, 0L) > first(recorded, tp, range)) {
            places.put(tp, places(recorded, tp, last, range));
          }
        });
    places.values().removeIf(Deque::isEmpty);
    SortedMap<TopicPartition, String> problems = new TreeMap<>();
    while (!places.isEmpty()) {
      Map<TopicPartition, Range> next = new TreeMap<>();
      places.forEach((tp, left) -> next.put(tp, left.remove()));
      places.values().removeIf(Deque::isEmpty);
      // What is not there any more was compacted away, and says nothing.
      kafka.search(
          next,
          record -> {
            String problem = problem(record, recorded);
            if (problem != null) {
              problems.putIfAbsent(partition(record), problem);
            }
            return problems.keySet().containsAll(next.keySet());
          });
    }
    return List.copyOf(problems.values());
  }

  /** Where a replay of all that is there begins. */
  private static long first(Progress recorded, TopicPartition tp, Range range) {
    PartitionProgress known = recorded.partitions().get(tp);
    return known == null ? range.begin() : Math.max(known.origin(), range.begin());
  }

  /** From the last record to the recorded offset, as far as Kafka has it, but gaps. */
  private static Deque<Range> places(
      Progress recorded, TopicPartition tp, LastRecord last, Range kafka) {
    Deque<Range> places = new ArrayDeque<>();
    long begin = Math.max(last.offset(), kafka.begin());
    PartitionProgress known = recorded.partitions().get(tp);
    long end = Math.min(known == null ? 0 : known.nextOffset(), kafka.end());
    for (Gap gap : new TreeSet<>(recorded.gaps())) {
      if (gap.partition().equals(tp) && gap.to() > last.offset()) {
        add(places, begin, Math.min(end, Math.max(gap.from(), last.offset() + 1)));
        begin = Math.max(begin, gap.to() + 1);
      }
    }
    add(places, begin, end);
    return places;
  }

  private static void add(Deque<Range> places, long begin, long end) {
    if (begin < end) {
      places.add(new Range(begin, end));
    }
  }

  private static TopicPartition partition(RawRecord record) {
    return new TopicPartition(record.at().topic(), record.at().partition());
  }

  private static @Nullable String problem(RawRecord record, Progress recorded) {
    TopicPartition tp = partition(record);
    LastRecord before = recorded.lastRecords().get(tp);
    LastRecord now =
        LastRecord.of(record.at().offset(), record.timestampMillis(), record.key(), record.value());
    if (before == null || before.equals(now)) {
      return null;
    }
    Instant time = Instant.ofEpochMilli(now.timestampMillis());
    if (now.offset() != before.offset()) {
      return String.format(
          "%s: at offset %d was no record, the last one was at %d, now there is a record of %s",
          tp, now.offset(), before.offset(), time);
    }
    return String.format(
        "%s: at offset %d was a record of %s with the hash %016x, now there is a record of %s with"
            + " the hash %016x",
        tp,
        before.offset(),
        Instant.ofEpochMilli(before.timestampMillis()),
        before.hash(),
        time,
        now.hash());
  }
}
