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
 */
@SuppressWarnings("ArrayRecordComponent") // passed through, never compared
public record RawEvent(
    String topic,
    int partition,
    long offset,
    byte @Nullable [] key,
    byte @Nullable [] value,
    Map<String, String> headers) {

  public RawEvent {
    headers = Map.copyOf(headers);
  }

  /** What a consumer was given. */
  public static RawEvent of(ConsumerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new TreeMap<>();
    record
        .headers()
        .forEach(
            header -> {
              if (header.value() != null) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
              }
            });
    return new RawEvent(
        record.topic(), record.partition(), record.offset(), record.key(), record.value(), headers);
  }

  /** The same record at another place. */
  public RawEvent at(int otherPartition, long otherOffset) {
    return new RawEvent(topic, otherPartition, otherOffset, key, value, headers);
  }

  /** Where it lies, for messages. */
  public String place() {
    return topic + "-" + partition + "@" + offset;
  }
}
