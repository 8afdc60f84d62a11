package io.tidemark.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Progress as JSON objects: topic, then partition, then what is known of it.
 *
 * @param topicIds topic, then its id; empty if none is known
 * @param gaps topic, then partition, then a list of first and last offset; empty if there are none
 */
record ProgressJson(
    String offsets,
    String origin,
    String highWater,
    String generations,
    String topicIds,
    String gaps) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POSITION = "position";
  private static final String SOURCE_TIME = "source-ts-us";
  private static final String FROM = "from";
  private static final String TO = "to";

  static ProgressJson of(Progress progress) {
    ObjectNode offsets = JSON.createObjectNode();
    ObjectNode origin = JSON.createObjectNode();
    ObjectNode highWater = JSON.createObjectNode();
    ObjectNode generations = JSON.createObjectNode();
    new TreeMap<>(progress.partitions())
        .forEach(
            (tp, known) -> {
              String partition = Integer.toString(tp.partition());
              offsets.withObjectProperty(tp.topic()).put(partition, known.nextOffset());
              origin.withObjectProperty(tp.topic()).put(partition, known.origin());
              ObjectNode high = highWater.withObjectProperty(tp.topic()).putObject(partition);
              high.put(POSITION, known.highWater().toString());
              if (known.highWaterTimeMicros() != Long.MIN_VALUE) {
                high.put(SOURCE_TIME, known.highWaterTimeMicros());
              }
              if (!known.generations().isEmpty()) {
                ObjectNode ranks = generations.withObjectProperty(tp.topic()).putObject(partition);
                new TreeMap<>(known.generations())
                    .forEach((name, rank) -> ranks.put(name.toString(), rank.toString()));
              }
            });
    ObjectNode ids = JSON.createObjectNode();
    new TreeMap<>(progress.topicIds()).forEach(ids::put);
    ObjectNode gaps = JSON.createObjectNode();
    for (Gap gap : new TreeSet<>(progress.gaps())) {
      gaps.withObjectProperty(gap.partition().topic())
          .withArrayProperty(Integer.toString(gap.partition().partition()))
          .addObject()
          .put(FROM, gap.from())
          .put(TO, gap.to());
    }
    return new ProgressJson(
        offsets.toString(),
        origin.toString(),
        highWater.toString(),
        generations.toString(),
        ids.toString(),
        gaps.toString());
  }

  Progress parse() {
    JsonNode origins = tree("origin", origin);
    JsonNode highWaters = tree("high-water", highWater);
    JsonNode ranks = tree("generations", generations);
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    tree("offsets", offsets)
        .properties()
        .forEach(
            topic ->
                topic
                    .getValue()
                    .properties()
                    .forEach(
                        offset -> {
                          String name = topic.getKey();
                          String partition = offset.getKey();
                          JsonNode high = highWaters.path(name).path(partition);
                          partitions.put(
                              new TopicPartition(name, Integer.parseInt(partition)),
                              new PartitionProgress(
                                  offset.getValue().longValue(),
                                  origins.path(name).path(partition).longValue(),
                                  Position.parse(high.path(POSITION).asText()),
                                  high.path(SOURCE_TIME).asLong(Long.MIN_VALUE),
                                  positions(ranks.path(name).path(partition))));
                        }));
    Map<String, String> ids = new HashMap<>();
    tree("topic-ids", topicIds)
        .properties()
        .forEach(id -> ids.put(id.getKey(), id.getValue().asText()));
    return new Progress(partitions, ids, gapsOf(tree("gaps", gaps)));
  }

  private static Set<Gap> gapsOf(JsonNode tree) {
    Set<Gap> found = new HashSet<>();
    for (Map.Entry<String, JsonNode> topic : tree.properties()) {
      for (Map.Entry<String, JsonNode> partition : topic.getValue().properties()) {
        TopicPartition tp =
            new TopicPartition(topic.getKey(), Integer.parseInt(partition.getKey()));
        for (JsonNode gap : partition.getValue()) {
          found.add(new Gap(tp, gap.path(FROM).longValue(), gap.path(TO).longValue()));
        }
      }
    }
    return found;
  }

  private static Map<Position, Position> positions(JsonNode ranks) {
    Map<Position, Position> positions = new HashMap<>();
    ranks
        .properties()
        .forEach(
            rank ->
                positions.put(
                    Position.parse(rank.getKey()), Position.parse(rank.getValue().asText())));
    return positions;
  }

  private static JsonNode tree(String name, String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "The commit record's " + RecordCodec.PREFIX + name + " is no JSON: " + json, e);
    }
  }
}
