package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.UnavailableException;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a real broker's log ends with, and how far that is known to hold no record. */
@Timeout(120)
class KafkaEmptyTailsTest {
  private static final int PARTITIONS = 6;
  private static final int COMMITTED = 0;
  private static final int ABORTED = 1;
  private static final int FOLLOWED = 2;
  private static final int OPEN = 3;
  private static final int UNTOUCHED = 4;
  private static final int GONE = 5;

  @TempDir private static Path directory;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(directory);
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void positionsPassWhatIsNoRecordAndNothingElse() throws Exception {
    kafka.createTopic("t", PARTITIONS);
    try (KafkaProducer<byte[], byte[]> producer = producer("one");
        KafkaProducer<byte[], byte[]> other = producer("other")) {
      producer.initTransactions();
      producer.beginTransaction(); // offset 0 a record, 1 its mark, in each but one
      for (int partition : new int[] {COMMITTED, ABORTED, FOLLOWED, OPEN, GONE}) {
        producer.send(record(partition));
      }
      producer.commitTransaction();
      producer.beginTransaction(); // 2 and 3 are records that are no more, 4 the mark
      for (int partition : new int[] {ABORTED, FOLLOWED}) {
        producer.send(record(partition));
        producer.send(record(partition));
      }
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      producer.send(record(FOLLOWED)); // 5
      producer.send(record(GONE)); // 2
      producer.commitTransaction();
      other.initTransactions();
      other.beginTransaction();
      other.send(record(OPEN)); // 2, which may yet be a record
      other.flush();
      awaitEnd(FOLLOWED, 7);
      awaitEnd(GONE, 4);
      forget(GONE, 3);

      assertThat(after(Map.of(COMMITTED, 1L, ABORTED, 1L, FOLLOWED, 1L, OPEN, 1L)))
          .isEqualTo(Map.of(COMMITTED, 2L, ABORTED, 5L, OPEN, 2L));
      assertThat(after(Map.of(COMMITTED, 2L, ABORTED, 5L, FOLLOWED, 7L, OPEN, 2L, UNTOUCHED, 0L)))
          .isEmpty();
      // What retention took may have been records; what it left says the same as before.
      assertThat(after(Map.of(GONE, 1L, ABORTED, 3L, COMMITTED, 0L)))
          .isEqualTo(Map.of(ABORTED, 5L));
      assertThat(after(Map.of(GONE, 3L))).isEqualTo(Map.of(GONE, 4L));
      other.abortTransaction();
      awaitEnd(OPEN, 4);
      assertThat(after(Map.of(OPEN, 1L))).isEqualTo(Map.of(OPEN, 4L));
    }
  }

  /** A producer returns when the end of its transaction is decided; the mark comes after that. */
  private static void awaitEnd(int partition, long end) throws Exception {
    TestJob.await("the mark", () -> kafka.endOffsets("t").get(partition) == end);
  }

  @Test
  void withoutAnAnswerNothingIsSaid() {
    assertThatThrownBy(
            () -> tails("localhost:1").after(Map.of(new TopicPartition("t", COMMITTED), 1L)))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("does not say what the ends of partitions hold");
  }

  private static Map<Integer, Long> after(Map<Integer, Long> from) {
    Map<TopicPartition, Long> asked = new TreeMap<>();
    from.forEach((partition, offset) -> asked.put(new TopicPartition("t", partition), offset));
    Map<Integer, Long> answer = new TreeMap<>();
    tails(kafka.bootstrapServers())
        .after(asked)
        .forEach((tp, offset) -> answer.put(tp.partition(), offset));
    return answer;
  }

  private static KafkaEmptyTails tails(String servers) {
    Properties consumer = new Properties();
    consumer.put("bootstrap.servers", servers);
    consumer.put("isolation.level", "read_committed");
    return new KafkaEmptyTails(consumer);
  }

  private static KafkaProducer<byte[], byte[]> producer(String id) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", id),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static ProducerRecord<byte[], byte[]> record(int partition) {
    return new ProducerRecord<>("t", partition, null, new byte[] {1});
  }

  private static void forget(int partition, long below) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .deleteRecords(
              Map.of(
                  new org.apache.kafka.common.TopicPartition("t", partition),
                  RecordsToDelete.beforeOffset(below)))
          .all()
          .get();
    }
  }
}
