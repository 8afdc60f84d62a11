package io.tidemark.oracle;

/** Where a record lies in Kafka. */
public record Place(String topic, int partition, long offset) {

  public static Place of(RawEvent event) {
    return new Place(event.topic(), event.partition(), event.offset());
  }

  @Override
  public String toString() {
    return topic + "-" + partition + "@" + offset;
  }
}
