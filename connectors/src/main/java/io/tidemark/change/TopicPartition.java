package io.tidemark.change;

import java.io.Serializable;

/**
 * One partition of a topic, ordered by topic and number.
 *
 * @param partition at least 0
 */
public record TopicPartition(String topic, int partition)
    implements Comparable<TopicPartition>, Serializable {

  @Override
  public int compareTo(TopicPartition other) {
    int order = topic.compareTo(other.topic);
    return order != 0 ? order : Integer.compare(partition, other.partition);
  }

  /** {@code orders-0}, as Kafka's tools write it. */
  @Override
  public String toString() {
    return topic + "-" + partition;
  }

  /**
   * Reads what {@link #toString()} wrote.
   *
   * @throws IllegalArgumentException if no number follows the last dash
   */
  public static TopicPartition parse(String text) {
    int dash = text.lastIndexOf('-');
    if (dash <= 0) {
      throw new IllegalArgumentException("A partition looks like topic-0, got \"" + text + "\"");
    }
    return new TopicPartition(text.substring(0, dash), Integer.parseInt(text.substring(dash + 1)));
  }
}
