package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that came to a topic while a job reads it whose changes only their offsets order. Keys
 * move with them, also between the partitions that were there, and where a key is now its offsets
 * may be lower.
 *
 * <p>A partition is there before anything is placed by it. So if there is none that is new after
 * some records were read, nothing among those was.
 */
public final class AddedPartitions {
  private AddedPartitions() {}

  /**
   * Those that the job of a state did not begin with. A checkpoint is complete before its commit is
   * refused for them, so a state may know of them; no record does.
   *
   * @param state what the state says of each partition
   * @param last the table's record; null if there is none
   */
  public static Set<TopicPartition> in(Progress state, @Nullable CommitRecord last) {
    Map<TopicPartition, PartitionProgress> late = new HashMap<>(state.partitions());
    late.values().removeIf(known -> !known.last().cameLate());
    late.keySet().removeAll(last == null ? Set.of() : last.progress().partitions().keySet());
    return late.keySet();
  }

  /**
   * Refuses what was read, if it may have lost against older changes.
   *
   * @param count how many partitions the topic has now
   * @param known those that it had when nothing of it was read
   * @throws RefusedException with the first new one and what to do
   */
  public static void check(String topic, int count, Set<TopicPartition> known) {
    for (int number = 0; number < count; number++) {
      TopicPartition partition = new TopicPartition(topic, number);
      if (!known.contains(partition)) {
        throw new RefusedException(
            "Topic "
                + topic
                + " has "
                + count
                + " partitions now, and partition "
                + number
                + " came after this job, or the one whose state it has, had begun to read. Only their"
                + " offsets order its changes, and keys moved to other partitions, where a newer change"
                + " may have a lower offset. What was read since the last commit was not committed."
                + " Begin an epoch, in new partitions at 0, in each other one at the first offset that"
                + " was written after they came; or, if all before that is in the table: "
                + NewEpoch.command(partition, 0, true)
                + ". Then start without state");
      }
    }
  }
}
