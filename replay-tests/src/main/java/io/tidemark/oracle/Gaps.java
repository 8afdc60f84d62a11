package io.tidemark.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.TreeMap;

/**
 * What somebody accepted that a table lacks: records in there are no part of the log that it stands
 * for, whether Kafka has them or not.
 *
 * @param ranges by topic and partition, then by first offset the last one
 */
public record Gaps(Map<String, Map<Integer, TreeMap<Long, Long>>> ranges) {

  /** Nobody ever did. */
  public static final Gaps NONE = new Gaps(Map.of());

  private static final ObjectMapper JSON = new ObjectMapper();

  public Gaps {
    ranges = Map.copyOf(ranges);
  }

  /**
   * Reads the form that a commit record has: {@code {"topic": {"0": [{"from": 3, "to": 5}]}}}.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static Gaps parse(String json) {
    Map<String, Map<Integer, TreeMap<Long, Long>>> ranges = new TreeMap<>();
    try {
      for (Map.Entry<String, JsonNode> topic : JSON.readTree(json).properties()) {
        for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
          TreeMap<Long, Long> found = new TreeMap<>();
          for (JsonNode gap : partition.getValue()) {
            if (!gap.path("from").isIntegralNumber() || !gap.path("to").isIntegralNumber()) {
              throw new IllegalArgumentException("A gap needs two numbers, got " + gap);
            }
            found.merge(gap.path("from").longValue(), gap.path("to").longValue(), Math::max);
          }
          ranges
              .computeIfAbsent(topic.getKey(), name -> new TreeMap<>())
              .put(Integer.valueOf(partition.getKey()), found);
        }
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Gaps need a JSON object, got " + json, e);
    }
    return new Gaps(ranges);
  }

  /** Whether the record at a place is left out. */
  public boolean has(Place place) {
    return ranges
        .getOrDefault(place.topic(), Map.of())
        .getOrDefault(place.partition(), new TreeMap<>())
        .headMap(place.offset(), true)
        .values()
        .stream()
        .anyMatch(last -> place.offset() <= last);
  }

  /** The first offset of a partition, from this one on, that is not left out. */
  public long past(String topic, int partition, long offset) {
    long past = offset;
    for (Map.Entry<Long, Long> gap :
        ranges.getOrDefault(topic, Map.of()).getOrDefault(partition, new TreeMap<>()).entrySet()) {
      if (gap.getKey() <= past && past <= gap.getValue()) {
        past = gap.getValue() + 1;
      }
    }
    return past;
  }

  /** Those that a record of these offsets must name: they begin below them. */
  Gaps below(Offsets next) {
    Map<String, Map<Integer, TreeMap<Long, Long>>> below = new TreeMap<>();
    ranges.forEach(
        (topic, partitions) ->
            partitions.forEach(
                (partition, gaps) -> {
                  TreeMap<Long, Long> begun =
                      new TreeMap<>(gaps.headMap(next.next(topic, partition)));
                  if (!begun.isEmpty()) {
                    below.computeIfAbsent(topic, name -> new TreeMap<>()).put(partition, begun);
                  }
                }));
    return new Gaps(below);
  }
}
