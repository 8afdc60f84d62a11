package io.tidemark.oracle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The raw records of some topics, each partition's in the order of their offsets. */
public final class RawLog {

  private static final Duration STALL = Duration.ofSeconds(30);

  private final List<RawEvent> events;

  private RawLog(Collection<RawEvent> events) {
    List<RawEvent> sorted = new ArrayList<>(events);
    sorted.sort(
        Comparator.comparing(RawEvent::topic)
            .thenComparing(RawEvent::partition)
            .thenComparing(RawEvent::offset));
    this.events = List.copyOf(sorted);
  }

  /** A log of these records, given in any order. */
  public static RawLog of(Collection<RawEvent> events) {
    return new RawLog(events);
  }

  /**
   * All that some topics hold now.
   *
   * @throws IllegalStateException if the broker gives nothing for 30 seconds
   */
  public static RawLog read(String bootstrapServers, Collection<String> topics) {
    Map<String, Object> properties =
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            "read_committed",
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            5000);
    List<RawEvent> events = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (String topic : topics) {
        for (PartitionInfo info : consumer.partitionsFor(topic)) {
          partitions.add(new TopicPartition(topic, info.partition()));
        }
      }
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long deadline = System.nanoTime() + STALL.toNanos();
      while (ends.entrySet().stream().anyMatch(p -> consumer.position(p.getKey()) < p.getValue())) {
        int before = events.size();
        consumer.poll(Duration.ofMillis(100)).forEach(record -> events.add(RawEvent.of(record)));
        if (events.size() > before) {
          deadline = System.nanoTime() + STALL.toNanos();
        } else if (System.nanoTime() > deadline) {
          throw new IllegalStateException("No records for " + STALL + " from " + topics);
        }
      }
    }
    return new RawLog(events);
  }

  /** The records by topic, partition and offset. */
  public List<RawEvent> events() {
    return events;
  }

  /** The place after the last record of each partition that has one. */
  public Offsets end() {
    Map<String, Map<Integer, Long>> next = new TreeMap<>();
    for (RawEvent event : events) {
      next.computeIfAbsent(event.topic(), topic -> new TreeMap<>())
          .put(event.partition(), event.offset() + 1);
    }
    return new Offsets(next);
  }
}
