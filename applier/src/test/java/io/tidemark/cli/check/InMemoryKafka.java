package io.tidemark.cli.check;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.debezium.RawRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A cluster for tests. */
final class InMemoryKafka implements KafkaView {
  final Map<String, Map<String, String>> configs = new TreeMap<>();
  final Map<TopicPartition, OffsetRange> ranges = new TreeMap<>();
  final Set<String> side = new TreeSet<>();
  final List<RawRecord> records = new ArrayList<>();
  final List<String> others = new ArrayList<>();

  /** Adds a topic with one partition that had {@code latest} records, of which none is gone. */
  InMemoryKafka with(String topic, long latest) {
    configs.put(topic, new TreeMap<>(Map.of("cleanup.policy", "delete")));
    ranges.put(new TopicPartition(topic, 0), new OffsetRange(0, latest));
    return this;
  }

  @Override
  public Set<String> topics() {
    return new TreeSet<>(configs.keySet());
  }

  @Override
  public Map<String, String> config(String topic) {
    return configs.get(topic);
  }

  @Override
  public @Nullable String id(String topic) {
    return "id of " + topic;
  }

  @Override
  public Map<TopicPartition, OffsetRange> ranges(Set<String> topics) {
    return ranges.entrySet().stream()
        .filter(entry -> topics.contains(entry.getKey().topic()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public List<RawRecord> first(String topic, int limit) {
    return records.stream().limit(limit).toList();
  }

  @Override
  public boolean isSide(String topic) {
    return side.contains(topic);
  }

  @Override
  public List<String> otherRecords(String topic, Progress recorded) {
    return others;
  }

  @Override
  public void close() {}
}
