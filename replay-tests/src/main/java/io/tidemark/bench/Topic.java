package io.tidemark.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic that is filled and waits to be drained.
 *
 * @param events how many changes it holds
 * @param records the same with the tombstones
 * @param bytes of keys and values, not compressed
 * @param rows how many rows are left after all changes
 */
record Topic(String name, int events, long records, long bytes, int rows) {

  static final int PARTITIONS = 4;

  /** As Debezium 3 sets them on each record. */
  private static final Map<String, byte[]> HEADERS =
      Map.of(
          "__debezium.context.connectorLogicalName", utf8("bench"),
          "__debezium.context.taskId", utf8("0"),
          "__debezium.context.connectorName", utf8("postgresql"),
          "__debezium.context.runId", utf8("01a2284c-63a2-71ba-bb87-0db56d810f0b"));

  /** Creates a topic and writes the beginning of the log into it. */
  static Topic fill(String bootstrapServers, String name, BenchSettings settings, int events) {
    SalesLog log = new SalesLog(settings.seed(), settings.keys(), settings.schemas());
    create(bootstrapServers, name);
    return append(bootstrapServers, name, log, events, log::next);
  }

  /**
   * Writes changes into a topic that is there.
   *
   * @param log that {@code next} belongs to
   */
  static Topic append(
      String bootstrapServers,
      String name,
      SalesLog log,
      int events,
      Supplier<SalesLog.Change> next) {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long records = 0;
    long bytes = 0;
    try (Producer<byte[], byte[]> producer = producer(bootstrapServers)) {
      for (int i = 0; i < events; i++) {
        SalesLog.Change change = next.get();
        send(producer, record(name, change.key(), change.value()), failure);
        bytes += change.key().length + change.value().length;
        records++;
        if (change.tombstone()) {
          send(producer, record(name, change.key(), null), failure);
          bytes += change.key().length;
          records++;
        }
      }
    }
    Exception failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException(
          "Kafka did not take a change: " + failed.getMessage(), failed);
    }
    return new Topic(name, events, records, bytes, log.rows());
  }

  private static ProducerRecord<byte[], byte[]> record(
      String topic, byte[] key, byte @Nullable [] value) {
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, key, value);
    HEADERS.forEach((header, text) -> record.headers().add(header, text));
    return record;
  }

  private static void send(
      Producer<byte[], byte[]> producer,
      ProducerRecord<byte[], byte[]> record,
      AtomicReference<@Nullable Exception> failure) {
    var unused =
        producer.send(
            record,
            (metadata, e) -> {
              if (e != null) {
                failure.compareAndSet(null, e);
              }
            });
  }

  /** Creates a topic and waits until it can be written. */
  static void create(String bootstrapServers, String name) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      NewTopic topic =
          new NewTopic(name, PARTITIONS, (short) 1).configs(Map.of("retention.ms", "-1"));
      admin.createTopics(List.of(topic)).all().get();
      awaitLeaders(admin, name);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Topic " + name + " could not be created: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while creating topic " + name, e);
    }
  }

  /**
   * Waits for an answer that only leaders give. A broker that does not lead a new partition yet
   * refuses a producer's first batch and may take its second, and then nothing is in order.
   */
  private static void awaitLeaders(Admin admin, String name)
      throws InterruptedException, ExecutionException {
    for (int attempt = 1; ; attempt++) {
      try {
        admin.listOffsets(ends(name)).all().get();
        return;
      } catch (ExecutionException e) {
        // The broker may hear of its own new topic later than the controller answers.
        if (attempt == 300 || !(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  private static Map<TopicPartition, OffsetSpec> ends(String name) {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(partition -> new TopicPartition(name, partition))
        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
  }

  /** Idempotent, so the changes of a key keep their order. */
  private static Producer<byte[], byte[]> producer(String bootstrapServers) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers,
            ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
            true,
            ProducerConfig.COMPRESSION_TYPE_CONFIG,
            "lz4",
            ProducerConfig.BATCH_SIZE_CONFIG,
            128 * 1024,
            ProducerConfig.LINGER_MS_CONFIG,
            20),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
