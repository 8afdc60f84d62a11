package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a start without state reads from: per partition the smaller of what is wanted and what the
 * table's record says. Reading more than once is harmless; leaving something out is not, and is
 * refused.
 */
public final class StartOffsets {
  private StartOffsets() {}

  /**
   * What Kafka has of a partition.
   *
   * @param begin the lowest offset that is still there
   * @param end the offset of the next record to come
   */
  public record Range(long begin, long end) {}

  /**
   * Chooses for all partitions of a topic.
   *
   * @param kafka all partitions that exist
   * @param recorded next offset per partition of the table's record; null if the table has none
   * @param wanted an offset for each partition of {@code kafka}
   * @throws RefusedException listing every partition where something would be left out
   */
  public static SortedMap<TopicPartition, Long> choose(
      Map<TopicPartition, Range> kafka,
      @Nullable Map<TopicPartition, Long> recorded,
      Map<TopicPartition, Long> wanted) {
    List<String> problems = new ArrayList<>();
    SortedMap<TopicPartition, Long> chosen = new TreeMap<>();
    for (Map.Entry<TopicPartition, Range> partition : new TreeMap<>(kafka).entrySet()) {
      TopicPartition tp = partition.getKey();
      Range range = partition.getValue();
      Long next = recorded == null ? null : recorded.get(tp);
      long want = wanted.getOrDefault(tp, range.begin());
      if (recorded != null && next == null) {
        chosen.put(
            tp, range.begin()); // a partition that is newer than the record: all of it is new
        continue;
      }
      String problem = problem(range, next, want);
      if (problem == null) {
        chosen.put(tp, next == null ? want : Math.min(want, next));
      } else {
        problems.add(tp + ": " + problem);
      }
    }
    if (recorded != null) {
      for (TopicPartition tp : new TreeMap<>(recorded).keySet()) {
        if (!kafka.containsKey(tp)) {
          problems.add(tp + ": the table's record names this partition, Kafka does not have it");
        }
      }
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(
          "Starting here would leave records out:\n  " + String.join("\n  ", problems));
    }
    return chosen;
  }

  private static @Nullable String problem(Range range, @Nullable Long recorded, long wanted) {
    if (recorded != null && recorded > range.end()) {
      return "the table's record says offset "
          + recorded
          + ", Kafka ends at "
          + range.end()
          + ": was the topic deleted and created anew?";
    }
    if (recorded != null && wanted > recorded) {
      return "offset "
          + wanted
          + " is wanted, the table's record says "
          + recorded
          + ": offsets "
          + recorded
          + " to "
          + (wanted - 1)
          + " would be left out";
    }
    long start = recorded == null ? wanted : Math.min(wanted, recorded);
    if (start < range.begin()) {
      return "offset "
          + start
          + " is needed, Kafka begins at "
          + range.begin()
          + ": offsets "
          + start
          + " to "
          + (range.begin() - 1)
          + " are gone";
    }
    if (start > range.end()) {
      return "offset " + start + " is wanted, Kafka ends at " + range.end();
    }
    return null;
  }
}
