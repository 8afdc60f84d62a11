package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a reader of a range stands when it has read all of it: behind the last record. What follows
 * there, marks of transactions, aborted and compacted records, it passes without a word, so nobody
 * may wait for it to tell of the range's end.
 */
final class LastReadable {
  /** Mostly the last record is among these, or right before them. */
  private static final long LOOKED_AT = 100;

  private LastReadable() {}

  /**
   * Looks from the ends backwards, further each time.
   *
   * @return by partition the offset behind the last record of its range; without those that hold
   *     none
   */
  static Map<TopicPartition, Long> ends(KafkaTopics kafka, Map<TopicPartition, Range> ranges) {
    Map<TopicPartition, Long> ends = new TreeMap<>();
    Map<TopicPartition, Range> left = new HashMap<>(ranges);
    for (long width = LOOKED_AT; !left.isEmpty(); width *= 2) {
      Map<TopicPartition, Range> last = new HashMap<>();
      for (Map.Entry<TopicPartition, Range> range : left.entrySet()) {
        long begin = Math.max(range.getValue().begin(), range.getValue().end() - width);
        last.put(range.getKey(), new Range(begin, range.getValue().end()));
      }
      kafka.search(
          last,
          record -> {
            TopicPartition tp = new TopicPartition(record.at().topic(), record.at().partition());
            ends.merge(tp, record.at().offset() + 1, Math::max);
            return false;
          });
      last.forEach((tp, looked) -> left.computeIfPresent(tp, (p, range) -> before(range, looked)));
      left.keySet().removeAll(ends.keySet());
      left.values().removeIf(range -> range.begin() >= range.end());
    }
    return ends;
  }

  private static Range before(Range range, Range looked) {
    return new Range(range.begin(), looked.begin());
  }
}
