package io.tidemark.job;

import io.tidemark.commit.EmptyTails;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.commit.UnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the ends of partitions with a consumer of its own, as far as no record comes.
 *
 * <p>Kafka has no question for that: what is aborted only a consumer that reads it leaves out. Its
 * position passes what holds no record, and says so without one.
 */
final class KafkaEmptyTails implements EmptyTails {
  private static final long serialVersionUID = 1L;

  /** Short, because barriers wait meanwhile: what is not known by then may be at the next look. */
  private static final int TIMEOUT_MILLIS = 5_000;

  private static final Duration ONE_POLL = Duration.ofMillis(500);

  /** In one answer: records are of no use here, and the job's own buffers are full of them. */
  private static final int FETCH_BYTES = 4 * 1024 * 1024;

  private final Properties properties;

  /**
   * One that connects when asked.
   *
   * @param consumer the properties of the job's consumers
   */
  KafkaEmptyTails(Properties consumer) {
    properties = new Properties();
    properties.putAll(consumer);
    properties.setProperty("auto.offset.reset", "none");
    properties.setProperty("enable.auto.commit", "false");
    properties.setProperty("fetch.max.bytes", Integer.toString(FETCH_BYTES));
    properties.setProperty("request.timeout.ms", Integer.toString(TIMEOUT_MILLIS));
    properties.setProperty("default.api.timeout.ms", Integer.toString(TIMEOUT_MILLIS));
  }

  @Override
  public Map<io.tidemark.change.TopicPartition, Long> after(
      Map<io.tidemark.change.TopicPartition, Long> from) {
    Map<TopicPartition, Long> asked = new HashMap<>();
    from.forEach((tp, offset) -> asked.put(new TopicPartition(tp.topic(), tp.partition()), offset));
    Map<io.tidemark.change.TopicPartition, Long> reached = new TreeMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      look(consumer, asked)
          .forEach(
              (tp, offset) ->
                  reached.put(
                      new io.tidemark.change.TopicPartition(tp.topic(), tp.partition()), offset));
    } catch (KafkaException e) {
      throw new UnavailableException(
          "Kafka (kafka.bootstrap.servers) does not say what the ends of partitions hold: "
              + e.getMessage(),
          e);
    }
    return reached;
  }

  private static Map<TopicPartition, Long> look(
      Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> from) {
    // For read_committed: below it no transaction is open.
    Map<TopicPartition, Long> ends = consumer.endOffsets(from.keySet());
    Map<TopicPartition, Range> open = new HashMap<>();
    from.forEach(
        (tp, offset) -> {
          long end = ends.getOrDefault(tp, 0L);
          if (end > offset) {
            open.put(tp, new Range(offset, end));
          }
        });
    Map<TopicPartition, Long> reached = new HashMap<>();
    consumer.assign(open.keySet());
    open.forEach((tp, range) -> consumer.seek(tp, range.begin()));
    long until = System.nanoTime() + TIMEOUT_MILLIS * 1_000_000L;
    while (!open.isEmpty() && System.nanoTime() - until < 0) {
      Set<TopicPartition> others = withRecords(consumer);
      open.keySet().removeAll(others);
      reached.keySet().removeAll(others);
      for (Map.Entry<TopicPartition, Range> tail : open.entrySet()) {
        // All between the two was fetched, and none of it is a record that was committed.
        long position = consumer.position(tail.getKey());
        if (position > tail.getValue().begin()) {
          reached.put(tail.getKey(), position);
        }
      }
      open.entrySet()
          .removeIf(tail -> reached.getOrDefault(tail.getKey(), 0L) >= tail.getValue().end());
      consumer.pause(consumer.assignment());
      consumer.resume(open.keySet());
    }
    return reached;
  }

  /** Of what the next answer says: those that have a record, or lack the offset. */
  private static Set<TopicPartition> withRecords(Consumer<byte[], byte[]> consumer) {
    try {
      return consumer.poll(ONE_POLL).partitions();
    } catch (InvalidOffsetException e) {
      return e.partitions();
    }
  }
}
