package io.tidemark.replay;

import io.tidemark.oracle.RawEvent;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** One Kafka for all tests of this process. It ends with it. */
final class ReplayKafka {

  private static final EmbeddedKafka KAFKA = start();

  private ReplayKafka() {}

  private static EmbeddedKafka start() {
    try {
      EmbeddedKafka kafka = EmbeddedKafka.start(Files.createTempDirectory("tidemark-kafka-"));
      Runtime.getRuntime().addShutdownHook(new Thread(kafka::close));
      return kafka;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String bootstrapServers() {
    return KAFKA.bootstrapServers();
  }

  static void createTopic(String topic, int partitions) {
    KAFKA.createTopic(topic, partitions);
  }

  /** Sends records into the partitions that they name; Kafka gives them new offsets. */
  static void produce(String topic, Collection<RawEvent> events) {
    produce(bootstrapServers(), topic, events);
  }

  static void produce(String brokers, String topic, Collection<RawEvent> events) {
    Map<String, Object> properties =
        Map.of("bootstrap.servers", brokers, "linger.ms", 5, "delivery.timeout.ms", 600_000);
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (RawEvent event : events) {
        ProducerRecord<byte[], byte[]> record =
            new ProducerRecord<>(topic, event.partition(), event.key(), event.value());
        event
            .headers()
            .forEach(
                (name, value) ->
                    record.headers().add(name, value.getBytes(StandardCharsets.UTF_8)));
        sent.add(producer.send(record));
      }
      for (Future<RecordMetadata> one : sent) {
        one.get();
      }
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("Not all records were sent", e);
    }
  }

  /** Sends records in a transaction that is aborted. */
  static void produceAndAbort(String topic, Collection<RawEvent> events) {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers(), "transactional.id", "aborts-" + topic),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      for (RawEvent event : events) {
        producer.send(new ProducerRecord<>(topic, event.partition(), event.key(), event.value()));
      }
      producer.flush();
      producer.abortTransaction();
    }
  }

  /** How far a consumer group says that it has read, by partition. */
  static Map<Integer, Long> groupOffsets(String group) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      Map<Integer, Long> offsets = new HashMap<>();
      admin
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get()
          .forEach((partition, at) -> offsets.put(partition.partition(), at.offset()));
      return offsets;
    }
  }

  /** The end of each partition. */
  static Map<Integer, Long> ends(String topic) {
    return KAFKA.endOffsets(topic);
  }

  /** What retention does to all that a topic has. */
  static void forgetAll(String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      Map<TopicPartition, RecordsToDelete> gone = new HashMap<>();
      ends(topic)
          .forEach(
              (p, end) ->
                  gone.put(new TopicPartition(topic, p), RecordsToDelete.beforeOffset(end)));
      admin.deleteRecords(gone).all().get();
    }
  }

  /** Says of a consumer group that it has read everything. */
  static void commitGroupAtEnd(String group, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
      KAFKA
          .endOffsets(topic)
          .forEach((p, end) -> ends.put(new TopicPartition(topic, p), new OffsetAndMetadata(end)));
      admin.alterConsumerGroupOffsets(group, ends).all().get();
    }
  }
}
