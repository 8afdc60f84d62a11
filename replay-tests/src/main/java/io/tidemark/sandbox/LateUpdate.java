package io.tidemark.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.script.OrdersTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * An update of a key that was deleted later.
 *
 * @param key the value of the primary key
 * @param event the update as it lies in the topic
 */
record LateUpdate(long key, ConsumerRecord<byte[], byte[]> event) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Finds the newest one in a topic.
   *
   * @param liveKeys the keys that are not deleted
   * @throws IllegalStateException if the topic has none
   */
  static LateUpdate in(List<ConsumerRecord<byte[], byte[]>> records, Set<Long> liveKeys) {
    for (int i = records.size() - 1; i >= 0; i--) {
      ConsumerRecord<byte[], byte[]> record = records.get(i);
      if (record.value() == null || record.key() == null) {
        continue;
      }
      long key = payload(record.key()).get(OrdersTable.KEY).asLong();
      if (!liveKeys.contains(key) && payload(record.value()).get("op").asText().equals("u")) {
        return new LateUpdate(key, record);
      }
    }
    throw new IllegalStateException("The workload has deleted no key that it had updated before");
  }

  private static JsonNode payload(byte[] json) {
    try {
      JsonNode node = JSON.readTree(json);
      return node.has("payload") ? node.get("payload") : node;
    } catch (IOException e) {
      throw new UncheckedIOException("A record of the relay is not JSON", e);
    }
  }
}
