package io.tidemark.commit;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import java.util.Map;
import java.util.TreeMap;

/** How far the source was read, and all that must be remembered to read it the same way again. */
public record Progress(Map<TopicPartition, PartitionProgress> partitions) {

  /** Nothing was read of anything. */
  public static final Progress NONE = new Progress(Map.of());

  public Progress {
    partitions = Map.copyOf(partitions);
  }

  /** What both know together; never less than either. */
  public Progress merge(Progress other) {
    Map<TopicPartition, PartitionProgress> merged = new TreeMap<>(partitions);
    other.partitions.forEach(
        (tp, progress) -> merged.merge(tp, progress, PartitionProgress::merge));
    return new Progress(merged);
  }
}
