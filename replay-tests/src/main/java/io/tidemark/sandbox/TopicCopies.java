package io.tidemark.sandbox;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Produces records of a topic into it again, byte for byte and each into its own partition. */
final class TopicCopies {

  private final EmbeddedKafka kafka;

  TopicCopies(EmbeddedKafka kafka) {
    this.kafka = kafka;
  }

  /** Produces all of a topic twice more, in random order. */
  int twiceShuffled(String topic, long seed) {
    List<ConsumerRecord<byte[], byte[]>> records = TopicLog.read(kafka, topic);
    List<ConsumerRecord<byte[], byte[]>> copies = new ArrayList<>(records);
    copies.addAll(records);
    Collections.shuffle(copies, new Random(seed));
    produce(copies);
    return copies.size();
  }

  /** Produces one record again and says where the copy lies. */
  RecordMetadata once(ConsumerRecord<byte[], byte[]> record) {
    return produce(List.of(record)).get(0);
  }

  private List<RecordMetadata> produce(List<ConsumerRecord<byte[], byte[]>> records) {
    List<Future<RecordMetadata>> sent = new ArrayList<>(records.size());
    List<RecordMetadata> acknowledged = new ArrayList<>(records.size());
    try (Producer<byte[], byte[]> producer = RecordWire.producer(kafka)) {
      for (ConsumerRecord<byte[], byte[]> record : records) {
        sent.add(
            producer.send(
                new ProducerRecord<>(
                    record.topic(),
                    record.partition(),
                    record.key(),
                    record.value(),
                    record.headers())));
      }
      producer.flush();
      for (Future<RecordMetadata> acknowledgement : sent) {
        acknowledged.add(acknowledgement.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Kafka did not take a copy: " + Cause.of(e).getMessage(), Cause.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while producing copies", e);
    }
    return acknowledged;
  }
}
