package io.tidemark.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The stream position above which each snapshot of the source ranks, by topic, partition and epoch.
 * A whole log tells them itself; of one that has lost its beginning, only the table's record does.
 *
 * @param known by topic, partition and epoch, {@code topic-0#0}, then by the snapshot's own
 *     position
 */
public record Ranks(Map<String, Map<String, long[]>> known) {

  /** Nothing but the log tells. */
  public static final Ranks NONE = new Ranks(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  public Ranks {
    known = Map.copyOf(known);
  }

  /**
   * Reads the forms that a commit record has.
   *
   * @param generations of epoch 0: {@code {"topic": {"0": {"<position>": "<rank>"}}}}
   * @param epochs the later ones: {@code {"topic": {"0": [{"epoch": 1, "generations": {…}}]}}}
   * @throws IllegalArgumentException if one has another form
   */
  public static Ranks parse(String generations, String epochs) {
    Map<String, Map<String, long[]>> known = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(generations).properties()) {
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          known.put(place(topic.getKey(), partition.getKey(), 0), ranks(partition.getValue()));
        }
      }
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(epochs).properties()) {
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          for (JsonNode epoch : partition.getValue()) {
            known.put(
                place(topic.getKey(), partition.getKey(), epoch.path("epoch").asInt()),
                ranks(epoch.path("generations")));
          }
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "Ranks need JSON objects, got " + generations + " and " + epochs, e);
    }
    return new Ranks(known);
  }

  private static Map<String, long[]> ranks(JsonNode positions) {
    Map<String, long[]> ranks = new TreeMap<>();
    for (Map.Entry<String, JsonNode> rank : positions.properties()) {
      ranks.put(name(position(rank.getKey())), position(rank.getValue().asText()));
    }
    return ranks;
  }

  /** Those of one epoch of a partition, by {@link #name}. */
  Map<String, long[]> of(String topic, int partition, int epoch) {
    return known.getOrDefault(place(topic, Integer.toString(partition), epoch), Map.of());
  }

  private static String place(String topic, String partition, int epoch) {
    return topic + "-" + partition + "#" + epoch;
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
