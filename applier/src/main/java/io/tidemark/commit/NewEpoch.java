package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An epoch that is to begin: everything from its offsets on ranks above all that the table was made
 * from before.
 *
 * @param number above the epochs of all partitions in which it begins, and below none of the others
 * @param begins where it begins
 * @param progress what the table's record is to say; that a partition of which nothing was read is
 *     to be read from offset 0, also where Kafka has lost its beginning
 */
public record NewEpoch(int number, SortedMap<TopicPartition, Long> begins, Progress progress) {

  /**
   * What is asked for.
   *
   * @param topic the table's
   * @param offsets by number of the partition, not empty
   * @param all whether it begins in the topic's other partitions too: where the record stands, or
   *     where nothing was read of one, at its first offset
   */
  public record Request(String topic, SortedMap<Integer, Long> offsets, boolean all) {}

  /** The command that begins an epoch at an offset. */
  public static String command(TopicPartition partition, long offset, boolean all) {
    return "./tidemark epoch -c FILE --begin "
        + partition.topic()
        + ":"
        + partition.partition()
        + "="
        + offset
        + (all ? " --all" : "");
  }

  /**
   * Decides.
   *
   * @param topicId Kafka's id of the topic; null if the brokers give none
   * @param kafka all its partitions
   * @throws RefusedException with every reason not to
   */
  public static NewEpoch of(
      Request request,
      Progress recorded,
      @Nullable String topicId,
      Map<TopicPartition, Range> kafka) {
    boolean anew = TopicIdentity.problem(request.topic(), topicId, recorded) != null;
    Progress known = anew ? recorded.without(request.topic()) : recorded;
    SortedMap<TopicPartition, Long> begins = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    request
        .offsets()
        .forEach(
            (partition, offset) -> {
              TopicPartition tp = new TopicPartition(request.topic(), partition);
              begins.put(tp, offset);
              String problem = problem(offset, known.partitions().get(tp), kafka.get(tp), anew);
              if (problem != null) {
                problems.add(tp + ": " + problem);
              }
            });
    for (Map.Entry<TopicPartition, Range> partition : new TreeMap<>(kafka).entrySet()) {
      TopicPartition tp = partition.getKey();
      if (request.all()) {
        PartitionProgress progress = known.partitions().get(tp);
        begins.putIfAbsent(
            tp, progress == null ? partition.getValue().begin() : progress.nextOffset());
      } else if (anew && !begins.containsKey(tp)) {
        problems.add(tp + ": the topic was created anew, so all of it begins an epoch: add --all");
      }
    }
    if (!problems.isEmpty()) {
      throw new RefusedException("No epoch was begun:\n  " + String.join("\n  ", problems));
    }
    Map<String, String> ids = new TreeMap<>(known.topicIds());
    if (topicId != null) {
      ids.put(request.topic(), topicId);
    }
    return new Decision(recorded.newestEpoch(), known, anew).begin(begins, ids);
  }

  private static @Nullable String problem(
      long offset, @Nullable PartitionProgress known, @Nullable Range kafka, boolean anew) {
    if (kafka == null) {
      return "Kafka has no such partition";
    }
    if (offset > kafka.end()) {
      return "offset " + offset + " is wanted, Kafka ends at " + kafka.end();
    }
    if (known != null && offset < known.nextOffset()) {
      return "offset "
          + offset
          + " is wanted, the table has been read up to "
          + known.nextOffset()
          + ": what was read keeps its place in the order. Begin at offset "
          + known.nextOffset()
          + " or above";
    }
    if (known == null && (offset < kafka.begin() || (anew && offset != kafka.begin()))) {
      return "offset "
          + offset
          + " is wanted, and nothing was read of this partition, which begins at "
          + kafka.begin()
          + (anew ? ": begin there" : ": begin there or above");
    }
    return null;
  }

  /**
   * What is known when it is decided.
   *
   * @param newest the newest epoch of all that the table was made from
   * @param known without a topic that was created anew
   */
  private record Decision(int newest, Progress known, boolean anew) {

    private NewEpoch begin(SortedMap<TopicPartition, Long> begins, Map<String, String> ids) {
      // One number in all partitions, so that what is written to them from now on compares; and at
      // least what the others have, for keys that come from there.
      int number =
          begins.keySet().stream()
              .map(known.partitions()::get)
              .mapToInt(progress -> (progress == null ? newest : progress.last().number()) + 1)
              .reduce(newest, Math::max);
      Map<TopicPartition, PartitionProgress> partitions = new HashMap<>(known.partitions());
      begins.forEach((tp, offset) -> partitions.put(tp, begin(partitions.get(tp), number, offset)));
      return new NewEpoch(
          number, begins, new Progress(partitions, ids, known.gaps(), known.lastRecords()));
    }

    private PartitionProgress begin(@Nullable PartitionProgress progress, int number, long offset) {
      if (progress != null) {
        return progress.beginning(number, offset);
      }
      // Nothing was read, so all is to be read: what Kafka has lost of the partition's beginning
      // is refused by the next start, or accepted there as a gap.
      return anew
          ? PartitionProgress.startingAt(0, number)
          : PartitionProgress.comingLateAt(0, newest).beginning(number, offset);
    }
  }
}
