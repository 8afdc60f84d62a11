package io.tidemark.verify;

import io.tidemark.commit.UnavailableException;
import io.tidemark.config.KafkaSettings;
import io.tidemark.oracle.Place;
import io.tidemark.oracle.RawEvent;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads raw records out of Kafka, what was committed only. */
final class LogReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * A part of a partition.
   *
   * @param from the first offset
   * @param to the offset after the last
   */
  record Part(String topic, int partition, long from, long to) {
    private TopicPartition of() {
      return new TopicPartition(topic, partition);
    }
  }

  private final String where;
  private final Duration timeout;
  private final KafkaConsumer<byte[], byte[]> consumer;

  LogReader(KafkaSettings kafka, Duration timeout) {
    this.where = "kafka.bootstrap.servers (" + kafka.bootstrapServers() + ")";
    this.timeout = timeout;
    Map<String, Object> properties = new HashMap<>(kafka.properties());
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers());
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(timeout.toMillis()));
    try {
      consumer =
          new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    } catch (KafkaException e) {
      throw new UnavailableException(where + ": no client can be made: " + e.getMessage(), e);
    }
  }

  /**
   * Reads parts, each in the order of its offsets.
   *
   * @param passed is told how many offsets lie behind, after each step
   * @throws UnavailableException if nothing comes within the timeout, or what was asked for is gone
   */
  void read(Iterable<Part> parts, Consumer<RawEvent> events, LongConsumer passed) {
    records(parts, record -> events.accept(RawEvent.of(record)), passed);
  }

  /** The same, of records as the consumer gives them. */
  void records(
      Iterable<Part> parts, Consumer<ConsumerRecord<byte[], byte[]>> records, LongConsumer passed) {
    Map<TopicPartition, Part> open = new HashMap<>();
    for (Part part : parts) {
      if (part.from() < part.to()) {
        open.put(part.of(), part);
      }
    }
    try {
      consumer.assign(open.keySet());
      consumer.resume(open.keySet()); // an earlier reading paused them at its end
      open.forEach((partition, part) -> consumer.seek(partition, part.from()));
      drain(open, records, passed);
    } catch (InterruptException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException(where + ": interrupted while the log was read", e);
    } catch (KafkaException e) {
      throw new UnavailableException(
          where + ": the log cannot be read, try again: " + e.getMessage(), e);
    }
  }

  private void drain(
      Map<TopicPartition, Part> open,
      Consumer<ConsumerRecord<byte[], byte[]>> records,
      LongConsumer passed) {
    long ended = 0;
    long before = 0;
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!open.isEmpty()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        Part part = open.get(new TopicPartition(record.topic(), record.partition()));
        if (part != null && record.offset() < part.to()) {
          records.accept(record);
        }
      }
      long under = 0;
      for (Part part : List.copyOf(open.values())) {
        // The end of an aborted transaction has offsets and no records.
        long position = consumer.position(part.of());
        if (position >= part.to()) {
          ended += part.to() - part.from();
          open.remove(part.of());
          consumer.pause(List.of(part.of()));
        } else {
          under += position - part.from();
        }
      }
      passed.accept(ended + under);
      if (ended + under > before) {
        before = ended + under;
        deadline = System.nanoTime() + timeout.toNanos();
      } else if (System.nanoTime() > deadline) {
        String what = where + ": nothing of " + open.keySet() + " came within ";
        throw new UnavailableException(
            what + timeout.toSeconds() + " s; --timeout waits longer",
            new TimeoutException("no records"));
      }
    }
  }

  /** One record; null if it is gone. */
  @Nullable RawEvent at(Place place) {
    RawEvent[] found = {null};
    read(
        List.of(new Part(place.topic(), place.partition(), place.offset(), place.offset() + 1)),
        event -> found[0] = event,
        passed -> {});
    return found[0];
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
  }
}
