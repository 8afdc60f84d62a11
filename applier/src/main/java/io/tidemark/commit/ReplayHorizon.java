package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whether a replay begins before the table's horizon, where it would meet forgotten keys. */
public final class ReplayHorizon {
  private ReplayHorizon() {}

  /**
   * Refuses such a replay.
   *
   * @param recorded what the table's record knows; who goes on from there replays nothing
   * @param from the first offset to read, per partition
   * @param atHorizon per partition the first offset that Kafka took at the horizon or later; all
   *     before it come from before the horizon
   * @throws RefusedException with every partition that begins too early
   */
  public static void check(
      String table,
      Instant horizon,
      Progress recorded,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> atHorizon) {
    List<String> problems = new ArrayList<>();
    new TreeMap<>(from)
        .forEach(
            (tp, offset) -> {
              PartitionProgress known = recorded.partitions().get(tp);
              long first = atHorizon.getOrDefault(tp, 0L);
              if (known != null && offset < known.nextOffset() && offset < first) {
                problems.add(
                    tp
                        + ": offset "
                        + offset
                        + " is wanted, the first that Kafka took after the horizon is "
                        + Math.min(first, known.nextOffset()));
              }
            });
    if (!problems.isEmpty()) {
      throw new RefusedException(
          "Table "
              + table
              + " has forgotten keys that were deleted before its horizon "
              + horizon
              + " (tombstones.retention), and the replay begins before it:\n  "
              + String.join("\n  ", problems)
              + "\nStart after it (--from timestamp="
              + horizon
              + "), or take unknown keys for new ones (--accept-horizon): rows of forgotten keys"
              + " then come back until the replay has reached their deletes");
    }
  }
}
