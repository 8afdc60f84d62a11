package io.tidemark.flink;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * Offsets that were chosen before the job started. A partition that was not there then is read from
 * offset 0; if Kafka has lost that by then, the read fails in place of leaving records out.
 *
 * <p>Group offsets are never asked: they and the table's commits move independently, so they can be
 * ahead of the table. For the same reason there is no reset: an offset that Kafka lacks is an
 * error.
 */
public final class FixedOffsets implements OffsetsInitializer {
  private static final long serialVersionUID = 1L;

  private final HashMap<TopicPartition, Long> offsets;

  /** Offsets by partition. */
  public FixedOffsets(Map<TopicPartition, Long> offsets) {
    this.offsets = new HashMap<>(offsets);
  }

  @Override
  public Map<TopicPartition, Long> getPartitionOffsets(
      Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
    Map<TopicPartition, Long> chosen = new HashMap<>();
    for (TopicPartition partition : partitions) {
      chosen.put(partition, offsets.getOrDefault(partition, 0L));
    }
    return chosen;
  }

  @Override
  @SuppressWarnings("deprecation") // the connector's interface still has Kafka's old enum
  public OffsetResetStrategy getAutoOffsetResetStrategy() {
    return OffsetResetStrategy.NONE;
  }
}
