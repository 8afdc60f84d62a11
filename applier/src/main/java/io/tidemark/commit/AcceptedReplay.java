package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A replay from below a table's record that takes unknown keys for new ones ({@code
 * --accept-horizon}).
 *
 * <p>Until it is through, the table has rows of keys that were deleted and forgotten, because their
 * deletes are still to be read again. The record's offsets do not tell, as they never go back. So
 * each of its commits says where it began, and later ones carry that on until a replay from there
 * or below has itself read all that the record stood for. It must begin there: what the first one
 * learned of deletes went with its marks.
 *
 * @param from by partition the first offset, of this replay or of an earlier one that it makes good
 * @param left by partition where its readers still have to come: behind the last record below where
 *     the table's record was when it began
 */
public record AcceptedReplay(Map<TopicPartition, Long> from, Map<TopicPartition, Long> left)
    implements Serializable {

  /** No such replay. */
  public static final AcceptedReplay NONE = new AcceptedReplay(Map.of(), Map.of());

  public AcceptedReplay {
    from = Map.copyOf(from);
    left = Map.copyOf(left);
  }

  /**
   * What a run with {@code --accept-horizon} begins.
   *
   * @param record null for a new table. Where nothing was forgotten yet nothing is shown that was
   *     dead
   * @param start the first offset to read, per partition
   */
  public static AcceptedReplay of(@Nullable CommitRecord record, Map<TopicPartition, Long> start) {
    if (record == null || (record.horizon() == null && record.replay().isEmpty())) {
      return NONE;
    }
    Map<TopicPartition, Long> from = new TreeMap<>(record.replay());
    Map<TopicPartition, Long> left = new TreeMap<>();
    for (Map.Entry<TopicPartition, PartitionProgress> known :
        record.progress().partitions().entrySet()) {
      TopicPartition tp = known.getKey();
      long next = known.getValue().nextOffset();
      long first = start.getOrDefault(tp, next);
      if (first < next) {
        from.merge(tp, first, Math::min);
        left.put(tp, next);
      }
    }
    return new AcceptedReplay(from, left);
  }

  /**
   * The same where it is known what there is to read.
   *
   * @param ends by partition of {@code left} the offset behind the last record below: readers tell
   *     of records, and what ends a partition may be none. Without those that have none to read
   */
  public AcceptedReplay upTo(Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> readable = new TreeMap<>(ends);
    readable.keySet().retainAll(left.keySet());
    return new AcceptedReplay(from, readable);
  }

  /**
   * Refuses a start that leaves behind what an earlier replay has shown.
   *
   * @param underWay by partition where that one began, as the table's record says
   * @param start the first offset to read, per partition
   * @param accepts whether unknown keys are taken for new ones
   * @param accepted what Kafka has, if it is accepted that what lies below is gone; else empty
   * @throws RefusedException if it does not begin there, with what to type
   */
  public static void check(
      String table,
      Map<TopicPartition, Long> underWay,
      Map<TopicPartition, Long> start,
      boolean accepts,
      Map<TopicPartition, Range> accepted) {
    List<String> begun = new ArrayList<>();
    boolean covered = accepts;
    for (Map.Entry<TopicPartition, Long> replay : new TreeMap<>(underWay).entrySet()) {
      TopicPartition tp = replay.getKey();
      long first = replay.getValue();
      begun.add(tp + " from offset " + first);
      Range kafka = accepted.get(tp);
      long highest = kafka == null ? first : Math.max(first, kafka.begin());
      covered &= start.getOrDefault(tp, Long.MAX_VALUE) <= highest;
    }
    if (!covered && !begun.isEmpty()) {
      throw new RefusedException(
          "Table "
              + table
              + " is in the middle of a replay that takes unknown keys for new ones"
              + " (--accept-horizon): "
              + String.join(", ", begun)
              + ". Rows of forgotten keys are in the table until it is through. Type it again: "
              + command(underWay));
    }
  }

  /**
   * Refuses a start that leaves out where deletes may be of what it shows.
   *
   * @param start the first offset to read, per partition
   * @param needed by partition the highest offset to start at, so that all which Kafka took after
   *     what is shown is read again
   * @param acceptsGaps whether it is accepted that what lies below is gone, as it has to be again
   * @throws RefusedException with each partition that starts above, and what to type
   */
  public static void checkTogether(
      String table,
      Progress recorded,
      Map<TopicPartition, Long> start,
      Map<TopicPartition, Long> needed,
      boolean acceptsGaps) {
    List<String> problems = new ArrayList<>();
    Map<TopicPartition, Long> together = new TreeMap<>();
    for (Map.Entry<TopicPartition, Long> entry : new TreeMap<>(needed).entrySet()) {
      TopicPartition tp = entry.getKey();
      long first = start.getOrDefault(tp, entry.getValue());
      PartitionProgress known = recorded.partitions().get(tp);
      // What is needed from where the record is lies above it, and an accepted gap may pass over
      // it.
      boolean again = known == null || entry.getValue() < known.nextOffset();
      if (again && first > entry.getValue()) {
        problems.add(tp + ": offset " + first + " is wanted, it needs " + entry.getValue());
      }
      long from = Math.min(first, entry.getValue());
      if (known != null && from < known.nextOffset()) {
        together.put(tp, from);
      }
    }
    if (!problems.isEmpty()) {
      throw new RefusedException(
          "Table "
              + table
              + " would show rows of forgotten keys (--accept-horizon) whose deletes the replay does"
              + " not read. Where partitions were added, keys came from one to another, so a delete"
              + " may be in each partition, above what Kafka took before the replay's first"
              + " record:\n  "
              + String.join("\n  ", problems)
              + "\nRead them together: "
              + command(together)
              + (acceptsGaps ? " --accept-gap" : ""));
    }
  }

  /** What to type to have a replay done. */
  public static String command(Map<TopicPartition, Long> underWay) {
    return "./tidemark run -c FILE --from "
        + new TreeMap<>(underWay)
            .entrySet().stream()
                .map(e -> e.getKey().topic() + ":" + e.getKey().partition() + "=" + e.getValue())
                .collect(Collectors.joining(","))
        + " --accept-horizon";
  }

  /**
   * The same once more was read.
   *
   * @param progress what a reader has read itself: not merged with what is known from before
   */
  public AcceptedReplay read(Progress progress) {
    if (left.isEmpty()) {
      return this;
    }
    Map<TopicPartition, Long> still = new TreeMap<>(left);
    progress
        .partitions()
        .forEach((tp, read) -> still.computeIfPresent(tp, (p, end) -> reached(read, end)));
    return new AcceptedReplay(from, still);
  }

  private static @Nullable Long reached(PartitionProgress read, long end) {
    return read.nextOffset() >= end ? null : (Long) end;
  }

  /** Whether it still has to read something. */
  public boolean isUnderWay() {
    return !left.isEmpty();
  }

  /** Whether it was one, and has read all. */
  boolean isThrough() {
    return !from.isEmpty() && left.isEmpty();
  }

  /**
   * What the record of a commit says.
   *
   * @param before what its parent says
   * @param through whether this replay was through at the commit's barrier
   * @return by partition the first offset of all replays that are not through
   */
  Map<TopicPartition, Long> recorded(Map<TopicPartition, Long> before, boolean through) {
    Map<TopicPartition, Long> underWay = new TreeMap<>(before);
    if (through) {
      underWay.keySet().removeAll(from.keySet());
    } else {
      from.forEach((tp, first) -> underWay.merge(tp, first, Math::min));
    }
    return underWay;
  }
}
