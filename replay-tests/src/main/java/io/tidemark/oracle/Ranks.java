package io.tidemark.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stream position above which each snapshot of the source ranks, by topic and partition. A
 * whole log tells them itself; of one that has lost its beginning, only the table's record does.
 *
 * @param known by topic and partition, {@code topic-0}, then by the snapshot's own position
 */
public record Ranks(Map<String, Map<String, long[]>> known) {

  /** Nothing but the log tells. */
  public static final Ranks NONE = new Ranks(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  public Ranks {
    known = Map.copyOf(known);
  }

  /**
   * Reads the form that a commit record has: {@code {"topic": {"0": {"<position>": "<rank>"}}}}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static Ranks parse(String json) {
    Map<String, Map<String, long[]>> known = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(json).properties()) {
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          Map<String, long[]> ranks = new TreeMap<>();
          for (Map.Entry<String, JsonNode> rank : partition.getValue().properties()) {
            ranks.put(name(position(rank.getKey())), position(rank.getValue().asText()));
          }
          known.put(topic.getKey() + "-" + partition.getKey(), ranks);
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Ranks need a JSON object, got " + json, e);
    }
    return new Ranks(known);
  }

  /** Those of one partition, by {@link #name}. */
  Map<String, long[]> of(String topic, int partition) {
    return known.getOrDefault(topic + "-" + partition, Map.of());
  }

  static String name(long[] position) {
    return Arrays.toString(position);
  }

  private static long[] position(String text) {
    return Arrays.stream(text.split("\\."))
        .mapToLong(part -> Long.parseUnsignedLong(part, 16))
        .toArray();
  }
}
