package io.tidemark.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where somebody said that all which follows ranks above all that came before.
 *
 * @param numbers by topic and partition, {@code topic-0}, then by first offset
 */
public record Epochs(Map<String, TreeMap<Long, Integer>> numbers) {

  /** Nobody ever did. */
  public static final Epochs NONE = new Epochs(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  public Epochs {
    numbers = Map.copyOf(numbers);
  }

  /**
   * Reads the form that a commit record has: {@code {"topic": {"0": [{"epoch": 1, "from": 12}]}}}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static Epochs parse(String json) {
    Map<String, TreeMap<Long, Integer>> numbers = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(json).properties()) {
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          TreeMap<Long, Integer> starts = new TreeMap<>();
          for (JsonNode epoch : partition.getValue()) {
            if (!epoch.path("from").isIntegralNumber() || !epoch.path("epoch").isIntegralNumber()) {
              throw new IllegalArgumentException("An epoch needs two numbers, got " + epoch);
            }
            starts.put(epoch.path("from").longValue(), epoch.path("epoch").intValue());
          }
          numbers.put(topic.getKey() + "-" + partition.getKey(), starts);
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Epochs need a JSON object, got " + json, e);
    }
    return new Epochs(numbers);
  }

  /** The epoch that all of a partition begins with. */
  public int first(String topic, int partition) {
    return numbers.getOrDefault(topic + "-" + partition, new TreeMap<>()).getOrDefault(0L, 0);
  }

  /** The epoch that a record is in. */
  int of(RawEvent event) {
    TreeMap<Long, Integer> starts = numbers.get(event.topic() + "-" + event.partition());
    Map.Entry<Long, Integer> begun = starts == null ? null : starts.floorEntry(event.offset());
    return begun == null ? 0 : begun.getValue();
  }
}
