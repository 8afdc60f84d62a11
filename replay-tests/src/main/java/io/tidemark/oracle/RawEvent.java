package io.tidemark.oracle;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record as it lies in Kafka.
 *
 * @param key null for a record without key
 * @param value null for a tombstone
 * @param headers each byte of a header's value is one character
 * @param timestampMillis Kafka's, since 1970-01-01T00:00:00Z; null if it is not known
 */
@SuppressWarnings("ArrayRecordComponent") // passed through, never compared
public record RawEvent(
    String topic,
    int partition,
    long offset,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> headers,
    @Nullable Long timestampMillis) {

  public RawEvent {
    headers = Map.copyOf(headers);
  }

  /** One whose time in Kafka is not known. */
  public RawEvent(
      String topic,
      int partition,
      long offset,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Map<String, String> headers) {
    this(topic, partition, offset, key, value, headers, null);
  }

  /** What a consumer was given. */
  public static RawEvent of(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    record
        .headers()
        .forEach(
            header -> {
              if (header.value() != null) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.ISO_8859_1));
              }
            });
    return new RawEvent(
        record.topic(),
        record.partition(),
        record.offset(),
        record.key(),
        record.value(),
        headers,
        record.timestamp());
  }

  /** The same record at another place. */
  public RawEvent at(int otherPartition, long otherOffset) {
    return new RawEvent(topic, otherPartition, otherOffset, key, value, headers, timestampMillis);
  }

  /** Where it lies, for messages. */
  public String place() {
    return topic + "-" + partition + "@" + offset;
  }
}
