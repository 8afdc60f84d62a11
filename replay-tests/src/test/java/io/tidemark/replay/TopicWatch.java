package io.tidemark.replay;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Waits for records of a topic of one partition, each of which counts once. */
final class TopicWatch implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final String topic;
  private final KafkaConsumer<byte[], byte[]> consumer;

  TopicWatch(String topic) {
    this.topic = topic;
    ReplayKafka.createTopic(topic, 1);
    consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", ReplayKafka.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    TopicPartition only = new TopicPartition(topic, 0);
    consumer.assign(List.of(only));
    consumer.seekToBeginning(List.of(only));
  }

  /** Passes over what is there: whoever wrote it is gone. */
  void skip() {
    TopicPartition only = new TopicPartition(topic, 0);
    consumer.seekToEnd(List.of(only));
    consumer.position(only); // the seek is lazy
  }

  /** What goes on while it waits. */
  @FunctionalInterface
  interface Meanwhile {
    void run() throws Exception;
  }

  /**
   * Waits for a record whose value fits.
   *
   * @param writer who should write it and fails the wait if it ends
   */
  void await(String what, Predicate<String> fits, ConnectorProcess writer, Meanwhile meanwhile)
      throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      meanwhile.run();
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
        if (record.value() != null
            && fits.test(new String(record.value(), StandardCharsets.UTF_8))) {
          consumer.seek(new TopicPartition(topic, 0), record.offset() + 1);
          return;
        }
      }
      writer.failIfEnded();
    }
    throw new AssertionError("No " + what + " in " + topic + "\n  " + writer.end());
  }

  @Override
  public void close() {
    consumer.close();
  }
}
