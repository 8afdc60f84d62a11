package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FixedOffsetsTest {
  private static final TopicPartition KNOWN = new TopicPartition("orders", 0);
  private static final TopicPartition ADDED = new TopicPartition("orders", 1);

  /** Kafka is not asked where it begins: what it has lost by then would be skipped in silence. */
  @Test
  void aPartitionThatCameWhileTheJobRanIsReadFromItsVeryFirstOffset() {
    assertThat(
            new FixedOffsets(Map.of(KNOWN, 7L))
                .getPartitionOffsets(List.of(KNOWN, ADDED), new KafkaThatLostOffsets()))
        .isEqualTo(Map.of(KNOWN, 7L, ADDED, 0L));
  }

  private static final class KafkaThatLostOffsets
      implements OffsetsInitializer.PartitionOffsetsRetriever {
    @Override
    public Map<TopicPartition, Long> committedOffsets(Collection<TopicPartition> partitions) {
      return Map.of();
    }

    @Override
    public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
      return Map.of(ADDED, 9L);
    }

    @Override
    public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
      return Map.of(ADDED, 3L);
    }

    @Override
    public Map<TopicPartition, OffsetAndTimestamp> offsetsForTimes(
        Map<TopicPartition, Long> times) {
      return Map.of();
    }
  }
}
