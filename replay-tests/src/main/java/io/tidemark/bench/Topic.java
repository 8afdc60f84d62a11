package io.tidemark.bench;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
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

  /** Creates a topic and writes the beginning of the log into it. */
  static Topic fill(String bootstrapServers, String name, BenchSettings settings, int events) {
    create(bootstrapServers, name);
    SalesLog log = new SalesLog(settings.seed(), settings.keys(), settings.schemas());
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long records = 0;
    long bytes = 0;
    try (Producer<byte[], byte[]> producer = producer(bootstrapServers)) {
      for (int i = 0; i < events; i++) {
        SalesLog.Change change = log.next();
        send(producer, new ProducerRecord<>(name, change.key(), change.value()), failure);
        bytes += change.key().length + change.value().length;
        records++;
        if (change.tombstone()) {
          send(producer, new ProducerRecord<>(name, change.key(), null), failure);
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

  private static void create(String bootstrapServers, String name) {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      NewTopic topic =
          new NewTopic(name, PARTITIONS, (short) 1).configs(Map.of("retention.ms", "-1"));
      admin.createTopics(List.of(topic)).all().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Topic " + name + " could not be created: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while creating topic " + name, e);
    }
  }

  /**
   * One request at a time: a broker that does not lead a new partition yet refuses the first batch
   * and would take the second, and the changes of a key must keep their order.
   */
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
}
