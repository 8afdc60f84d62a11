package io.tidemark.sandbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads all that a topic holds. */
public final class TopicLog {

  private static final Duration STALL = Duration.ofSeconds(30);

  private TopicLog() {}

  /**
   * The records of a topic from its beginning to its end as it is now, each partition's in order.
   *
   * @throws IllegalStateException if the broker gives nothing for 30 seconds
   */
  public static List<ConsumerRecord<byte[], byte[]>> read(EmbeddedKafka kafka, String topic) {
    NavigableMap<Integer, Long> ends = kafka.endOffsets(topic);
    List<TopicPartition> partitions =
        ends.keySet().stream()
            .map(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toList());
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer(kafka)) {
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long deadline = System.nanoTime() + STALL.toNanos();
      while (partitions.stream()
          .anyMatch(p -> consumer.position(p) < ends.getOrDefault(p.partition(), 0L))) {
        int before = records.size();
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
        if (records.size() > before) {
          deadline = System.nanoTime() + STALL.toNanos();
        } else if (System.nanoTime() > deadline) {
          throw new IllegalStateException(
              "Topic " + topic + " gave no records for " + STALL.toSeconds() + " s");
        }
      }
    }
    records.removeIf(record -> record.offset() >= ends.getOrDefault(record.partition(), 0L));
    return records;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(EmbeddedKafka kafka) {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            kafka.bootstrapServers(),
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            5000,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
