package io.tidemark.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Last records as a JSON object: topic, then partition, then what is remembered. */
final class LastRecordsJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OFFSET = "offset";
  private static final String TIMESTAMP = "timestamp-ms";
  private static final String HASH = "hash";

  private LastRecordsJson() {}

  static String write(Map<TopicPartition, LastRecord> records) {
    ObjectNode all = JSON.createObjectNode();
    new TreeMap<>(records)
        .forEach(
            (tp, record) ->
                all.withObjectProperty(tp.topic())
                    .putObject(Integer.toString(tp.partition()))
                    .put(OFFSET, record.offset())
                    .put(TIMESTAMP, record.timestampMillis())
                    .put(HASH, Long.toHexString(record.hash())));
    return all.toString();
  }

  static Map<TopicPartition, LastRecord> read(String name, String json) {
    Map<TopicPartition, LastRecord> records = new HashMap<>();
    try {
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(json).properties()) {
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          JsonNode record = partition.getValue();
          records.put(
              new TopicPartition(topic.getKey(), Integer.parseInt(partition.getKey())),
              new LastRecord(
                  record.path(OFFSET).longValue(),
                  record.path(TIMESTAMP).longValue(),
                  Long.parseUnsignedLong(record.path(HASH).asText(), 16)));
        }
      }
      return records;
    } catch (JsonProcessingException | NumberFormatException e) {
      throw RefusedException.damagedRecord("The commit record's " + name + " is no JSON: " + json);
    }
  }
}
