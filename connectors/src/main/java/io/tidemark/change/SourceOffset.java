package io.tidemark.change;

/**
 * Where a record lies in Kafka.
 *
 * @param offset at least 0
 */
public record SourceOffset(String topic, int partition, long offset) {

  /** {@code topic orders, partition 0, offset 17}: the form that messages use. */
  @Override
  public String toString() {
    return "topic " + topic + ", partition " + partition + ", offset " + offset;
  }
}
