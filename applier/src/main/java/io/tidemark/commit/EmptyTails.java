package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import java.io.Serializable;
import java.util.Map;

/**
 * Which offsets at the end of partitions belong to no record: marks of transactions, what was
 * aborted, and what was compacted away. A reader goes past them and has nothing to tell.
 */
@FunctionalInterface
public interface EmptyTails extends Serializable {

  /**
   * Looks at what Kafka has, for a short time.
   *
   * @param from by partition the offset to look from
   * @return by partition an offset above that: what lies between them holds no record that was
   *     committed, nor one that still may be. Without the partitions of which that is not known
   * @throws UnavailableException if Kafka does not answer
   */
  Map<TopicPartition, Long> after(Map<TopicPartition, Long> from);
}
