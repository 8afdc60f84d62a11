package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far the source was read, and all that must be remembered to read it the same way again.
 *
 * @param topicIds by name of the topic Kafka's own id of it, which a topic that is deleted and
 *     created anew does not keep; without those that are not known
 * @param gaps offsets below {@code partitions} that were left out, ever
 */
public record Progress(
    Map<TopicPartition, PartitionProgress> partitions,
    Map<String, String> topicIds,
    Set<Gap> gaps) {

  /** Nothing was read of anything. */
  public static final Progress NONE = new Progress(Map.of());

  public Progress {
    partitions = Map.copyOf(partitions);
    topicIds = Map.copyOf(topicIds);
    gaps = Set.copyOf(gaps);
  }

  /** Progress without gaps in topics whose ids are not known. */
  public Progress(Map<TopicPartition, PartitionProgress> partitions) {
    this(partitions, Map.of(), Set.of());
  }

  /**
   * What both know together; never less than either. Ids were compared when the job started: where
   * they differ nevertheless, this one's stand.
   */
  public Progress merge(Progress other) {
    Map<TopicPartition, PartitionProgress> merged = new TreeMap<>(partitions);
    other.partitions.forEach(
        (tp, progress) -> merged.merge(tp, progress, PartitionProgress::merge));
    Map<String, String> ids = new TreeMap<>(other.topicIds);
    ids.putAll(topicIds);
    Set<Gap> all = new TreeSet<>(gaps);
    all.addAll(other.gaps);
    return new Progress(merged, ids, all);
  }
}
