package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Where a start without state reads from: per partition the smaller of what is wanted and what the
 * table's record says. Reading more than once is harmless; leaving something out is not, and is
 * refused unless somebody accepts it.
 */
public final class StartOffsets {
  private final boolean acceptGaps;
  private final SortedMap<TopicPartition, Long> offsets = new TreeMap<>();
  private final Set<Gap> gaps = new TreeSet<>();
  private final List<String> problems = new ArrayList<>();
  private boolean onlyGaps = true;
  private boolean someAreGone;

  private StartOffsets(boolean acceptGaps) {
    this.acceptGaps = acceptGaps;
  }

  /**
   * What Kafka has of a partition.
   *
   * @param begin the lowest offset that is still there
   * @param end the offset of the next record to come
   */
  public record Range(long begin, long end) {}

  /**
   * A start.
   *
   * @param offsets the first offset to read, per partition
   * @param gaps what the table will lack because of it
   */
  public record Start(SortedMap<TopicPartition, Long> offsets, Set<Gap> gaps) {}

  /**
   * Chooses for all partitions of a topic.
   *
   * @param kafka all partitions that exist
   * @param recorded next offset per partition of the table's record; null if the table has none. A
   *     partition that it lacks came later, so it is needed from offset 0
   * @param wanted an offset for each partition of {@code kafka}
   * @param acceptGaps whether offsets may be left out that Kafka does not have any more, or that
   *     {@code wanted} skips. Offsets beyond Kafka's end and lost partitions are refused all the
   *     same: there is nothing to go on from
   * @throws RefusedException listing every partition where something would be left out
   */
  public static Start choose(
      Map<TopicPartition, Range> kafka,
      @Nullable Map<TopicPartition, Long> recorded,
      Map<TopicPartition, Long> wanted,
      boolean acceptGaps) {
    StartOffsets choice = new StartOffsets(acceptGaps);
    for (Map.Entry<TopicPartition, Range> partition : new TreeMap<>(kafka).entrySet()) {
      TopicPartition tp = partition.getKey();
      Range range = partition.getValue();
      Long next = recorded == null ? null : recorded.get(tp);
      if (recorded != null && next == null) {
        // A partition that is newer than the record: all of it is new, from the first offset that
        // it ever had, whatever Kafka has lost of it since.
        choice.add(tp, range, 0L, 0L);
      } else {
        choice.add(tp, range, next, wanted.getOrDefault(tp, range.begin()));
      }
    }
    if (recorded != null) {
      for (TopicPartition tp : new TreeMap<>(recorded).keySet()) {
        if (!kafka.containsKey(tp)) {
          choice.refuse(tp, "the table's record names this partition, Kafka does not have it");
        }
      }
    }
    return choice.made();
  }

  /**
   * Keeps a start from going below where a table was begun. While such records are read, the table
   * has changes from below its origin and lacks others, so its snapshots would be the fold of no
   * part of the log.
   *
   * @param wanted by partition, the offset to read from
   * @param named whether somebody named the offsets; else they are raised to the origin, which is
   *     the earliest of the table's own log
   * @throws RefusedException if a named one lies below
   */
  public static Map<TopicPartition, Long> notBelowOrigin(
      Map<TopicPartition, Long> wanted, Progress recorded, boolean named) {
    Map<TopicPartition, Long> offsets = new TreeMap<>(wanted);
    List<String> problems = new ArrayList<>();
    for (Map.Entry<TopicPartition, PartitionProgress> known :
        new TreeMap<>(recorded.partitions()).entrySet()) {
      TopicPartition tp = known.getKey();
      long origin = known.getValue().origin();
      Long offset = offsets.get(tp);
      if (offset != null && offset < origin) {
        problems.add(tp + ": offset " + offset + " is wanted, the table was begun at " + origin);
        offsets.put(tp, origin);
      }
    }
    if (named && !problems.isEmpty()) {
      throw new RefusedException(
          "The table was made from higher offsets, and until all below was read its snapshots would"
              + " stand for no place in the log:\n  "
              + String.join("\n  ", problems)
              + "\nStart there or above, or read from below into a new table");
    }
    return offsets;
  }

  private Start made() {
    if (problems.isEmpty()) {
      return new Start(offsets, gaps);
    }
    throw new RefusedException(
        "Starting here would leave records out:\n  "
            + String.join("\n  ", problems)
            + (someAreGone
                ? "\nMarks of transactions and what was aborted have offsets too; whether these were"
                    + " records cannot be told any more"
                : "")
            + (onlyGaps
                ? "\nTo go on without them, and have the gap written into the table's record, add"
                    + " --accept-gap"
                : ""));
  }

  private void add(TopicPartition tp, Range range, @Nullable Long recorded, long wanted) {
    if (recorded != null && recorded > range.end()) {
      refuse(
          tp,
          "the table's record says offset "
              + recorded
              + ", Kafka ends at "
              + range.end()
              + ": was the topic deleted and created anew?");
      return;
    }
    if (wanted > range.end()) {
      refuse(tp, "offset " + wanted + " is wanted, Kafka ends at " + range.end());
      return;
    }
    long needed = recorded == null ? wanted : Math.min(wanted, recorded);
    long reached = Math.max(wanted, range.begin());
    if (acceptGaps) {
      offsets.put(tp, reached);
      // What a replay from below the record does not find any more is in the table already.
      long first = recorded == null ? wanted : recorded;
      if (first < reached) {
        gaps.add(new Gap(tp, first, reached - 1));
      }
    } else if (needed < range.begin()) {
      someAreGone = true;
      gap(
          tp,
          "offset " + needed + " is needed, Kafka begins at " + range.begin(),
          needed + " to " + (range.begin() - 1) + " are gone");
    } else if (recorded != null && wanted > recorded) {
      gap(
          tp,
          "offset " + wanted + " is wanted, the table's record says " + recorded,
          recorded + " to " + (wanted - 1) + " would be left out");
    } else {
      offsets.put(tp, needed);
    }
  }

  private void gap(TopicPartition tp, String why, String which) {
    problems.add(tp + ": " + why + ": offsets " + which);
  }

  private void refuse(TopicPartition tp, String why) {
    problems.add(tp + ": " + why);
    onlyGaps = false;
  }
}
