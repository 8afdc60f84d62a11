package io.tidemark.commit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Progress as JSON objects: topic, then partition, then what is known of it.
 *
 * @param highWater of epoch 0, as are {@code generations}
 * @param epochs topic, then partition, then a list of the later epochs; empty if there are none
 * @param topicIds topic, then its id; empty if none is known
 * @param gaps topic, then partition, then a list of first and last offset; empty if there are none
 */
record ProgressJson(
    String offsets,
    String origin,
    String highWater,
    String generations,
    String epochs,
    String topicIds,
    String gaps) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POSITION = "position";
  private static final String SOURCE_TIME = "source-ts-us";
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String EPOCH = "epoch";
  private static final String GENERATIONS = "generations";

  static ProgressJson of(Progress progress) {
    ObjectNode offsets = JSON.createObjectNode();
    ObjectNode origin = JSON.createObjectNode();
    ObjectNode highWater = JSON.createObjectNode();
    ObjectNode generations = JSON.createObjectNode();
    ObjectNode epochs = JSON.createObjectNode();
    new TreeMap<>(progress.partitions())
        .forEach(
            (tp, known) -> {
              String partition = Integer.toString(tp.partition());
              offsets.withObjectProperty(tp.topic()).put(partition, known.nextOffset());
              origin.withObjectProperty(tp.topic()).put(partition, known.origin());
              Epoch first = first(known);
              highWater(first, highWater.withObjectProperty(tp.topic()).putObject(partition));
              if (!first.generations().isEmpty()) {
                ranks(first, generations.withObjectProperty(tp.topic()).putObject(partition));
              }
              for (Epoch epoch : known.epochs()) {
                if (epoch.number() > 0) {
                  later(
                      epoch,
                      epochs
                          .withObjectProperty(tp.topic())
                          .withArrayProperty(partition)
                          .addObject());
                }
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
        epochs.toString(),
        ids.toString(),
        gaps.toString());
  }

  /** One offset of each partition. */
  static String offsets(Map<TopicPartition, Long> offsets) {
    ObjectNode json = JSON.createObjectNode();
    new TreeMap<>(offsets)
        .forEach(
            (tp, offset) ->
                json.withObjectProperty(tp.topic()).put(Integer.toString(tp.partition()), offset));
    return json.toString();
  }

  /** Reads what {@link #offsets(Map)} wrote. */
  static Map<TopicPartition, Long> parseOffsets(String name, String json) {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    for (Map.Entry<String, JsonNode> topic : tree(name, json).properties()) {
      for (Map.Entry<String, JsonNode> offset : topic.getValue().properties()) {
        offsets.put(
            new TopicPartition(topic.getKey(), Integer.parseInt(offset.getKey())),
            offset.getValue().longValue());
      }
    }
    return offsets;
  }

  /** Epoch 0; where a later one begins with the partition, nothing is known of it. */
  private static Epoch first(PartitionProgress known) {
    Epoch first = known.epochs().get(0);
    return first.number() == 0 ? first : Epoch.beginning(0, 0);
  }

  private static void highWater(Epoch epoch, ObjectNode into) {
    into.put(POSITION, epoch.highWater().toString());
    if (epoch.highWaterTimeMicros() != Long.MIN_VALUE) {
      into.put(SOURCE_TIME, epoch.highWaterTimeMicros());
    }
  }

  private static void ranks(Epoch epoch, ObjectNode into) {
    new TreeMap<>(epoch.generations())
        .forEach((name, rank) -> into.put(name.toString(), rank.toString()));
  }

  private static void later(Epoch epoch, ObjectNode into) {
    into.put(EPOCH, epoch.number());
    into.put(FROM, epoch.start());
    highWater(epoch, into);
    if (!epoch.generations().isEmpty()) {
      ranks(epoch, into.putObject(GENERATIONS));
    }
  }

  Progress parse() {
    JsonNode origins = tree("origin", origin);
    JsonNode highWaters = tree("high-water", highWater);
    JsonNode ranks = tree("generations", generations);
    JsonNode later = tree("epochs", epochs);
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    for (Map.Entry<String, JsonNode> topic : tree("offsets", offsets).properties()) {
      String name = topic.getKey();
      for (Map.Entry<String, JsonNode> offset : topic.getValue().properties()) {
        String partition = offset.getKey();
        List<Epoch> all = new ArrayList<>();
        all.add(
            epoch(0, 0, highWaters.path(name).path(partition), ranks.path(name).path(partition)));
        for (JsonNode epoch : later.path(name).path(partition)) {
          all.add(
              epoch(
                  epoch.path(EPOCH).intValue(),
                  epoch.path(FROM).longValue(),
                  epoch,
                  epoch.path(GENERATIONS)));
        }
        partitions.put(
            new TopicPartition(name, Integer.parseInt(partition)),
            PartitionProgress.of(
                offset.getValue().longValue(),
                origins.path(name).path(partition).longValue(),
                all));
      }
    }
    Map<String, String> ids = new HashMap<>();
    tree("topic-ids", topicIds)
        .properties()
        .forEach(id -> ids.put(id.getKey(), id.getValue().asText()));
    return new Progress(partitions, ids, gapsOf(tree("gaps", gaps)));
  }

  private static Epoch epoch(int number, long start, JsonNode high, JsonNode ranks) {
    Map<Position, Position> generations = new HashMap<>();
    ranks
        .properties()
        .forEach(
            rank ->
                generations.put(
                    Position.parse(rank.getKey()), Position.parse(rank.getValue().asText())));
    return new Epoch(
        number,
        start,
        Position.parse(high.path(POSITION).asText()),
        high.path(SOURCE_TIME).asLong(Long.MIN_VALUE),
        generations);
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

  private static JsonNode tree(String name, String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw RefusedException.damagedRecord(
          "The commit record's " + RecordCodec.PREFIX + name + " is no JSON: " + json);
    }
  }
}
