package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.config.ConfigException;
import io.tidemark.config.StartPosition;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The offsets that a position to start from stands for, before it is seen whether they may be. */
final class WantedOffsets {
  private WantedOffsets() {}

  /**
   * By partition.
   *
   * @param ranges what Kafka has
   * @param recorded what the table's record says; null where it has none
   * @throws ConfigException for a partition that neither has
   */
  static Map<TopicPartition, Long> of(
      KafkaTopics kafka,
      Map<TopicPartition, Range> ranges,
      @Nullable Map<TopicPartition, Long> recorded,
      StartPosition position) {
    if (position instanceof StartPosition.Offsets given) {
      // A partition that is not named goes on from the record, and without one from its beginning.
      Map<TopicPartition, Long> wanted =
          new HashMap<>(recorded == null ? Map.<TopicPartition, Long>of() : recorded);
      for (TopicPartition tp : given.offsets().keySet()) {
        if (!ranges.containsKey(tp) && (recorded == null || !recorded.containsKey(tp))) {
          throw ConfigException.of(
              "--from or kafka.start",
              "partition " + tp + " is named to start from; Kafka has no such partition");
        }
      }
      wanted.putAll(given.offsets());
      return wanted;
    }
    if (position instanceof StartPosition.Timestamp timestamp) {
      return kafka.at(ranges, timestamp.instant());
    }
    Map<TopicPartition, Long> wanted = new HashMap<>();
    boolean latest = position instanceof StartPosition.Latest;
    ranges.forEach((tp, range) -> wanted.put(tp, latest ? range.end() : range.begin()));
    return wanted;
  }
}
