package io.tidemark.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A place in a log.
 *
 * @param next by topic and partition the offset of the first record that is not covered
 */
public record Offsets(Map<String, Map<Integer, Long>> next) {

  /** Before everything. */
  public static final Offsets NONE = new Offsets(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  public Offsets {
    Map<String, Map<Integer, Long>> copy = new TreeMap<>();
    next.forEach((topic, partitions) -> copy.put(topic, new TreeMap<>(partitions)));
    next = copy;
  }

  /**
   * Reads the form that a commit record has: {@code {"topic": {"0": 12}}}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static Offsets parse(String json) {
    try {
      Map<String, Map<Integer, Long>> next = new TreeMap<>();
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(json).properties()) {
        Map<Integer, Long> partitions = new TreeMap<>();
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          if (!partition.getValue().isIntegralNumber()) {
            throw new IllegalArgumentException("Offsets need whole numbers, got " + json);
          }
          partitions.put(Integer.valueOf(partition.getKey()), partition.getValue().longValue());
        }
        next.put(topic.getKey(), partitions);
      }
      return new Offsets(next);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Offsets need a JSON object, got " + json, e);
    }
  }

  /**
   * The same where a topic may have been another one of its name before.
   *
   * @param ids by topic, the form that a commit record has: {@code {"topic": "id"}}
   * @param isNamedById whether a log calls a topic {@link #former}
   * @param before an earlier place; what it says of topics that are no more stays
   */
  Offsets ofTopics(String ids, Predicate<String> isNamedById, Offsets before) {
    Map<String, Map<Integer, Long>> all = new TreeMap<>();
    before.next.forEach(
        (topic, partitions) -> {
          if (isNamedById.test(topic)) {
            all.put(topic, partitions);
          }
        });
    try {
      JsonNode tree = JSON.readTree(ids);
      next.forEach(
          (topic, partitions) -> {
            String name = former(topic, tree.path(topic).asText());
            all.put(isNamedById.test(name) ? name : topic, partitions);
          });
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Topic ids need a JSON object, got " + ids, e);
    }
    return new Offsets(all);
  }

  /** What a log calls a topic that is no more. */
  public static String former(String topic, String id) {
    return topic + "@" + id;
  }

  /** The next offset of a partition; 0 if nothing is said of it. */
  public long next(String topic, int partition) {
    return next.getOrDefault(topic, Map.of()).getOrDefault(partition, 0L);
  }

  /** Whether a record lies before this place. */
  public boolean cover(RawEvent event) {
    return event.offset() < next(event.topic(), event.partition());
  }

  /** Whether no partition stands lower here than there. */
  public boolean reach(Offsets other) {
    return other.next.entrySet().stream()
        .allMatch(
            topic ->
                topic.getValue().entrySet().stream()
                    .allMatch(p -> next(topic.getKey(), p.getKey()) >= p.getValue()));
  }
}
