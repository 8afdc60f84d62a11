package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.TopicPartition;
import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.fault.Parts;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What Connect's {@code exactly.once.support} leaves at the end of a partition: marks of
 * transactions, and what was aborted. Retention takes them as it takes records.
 */
@Timeout(300)
class IdleTransactionsTest {
  private static final long DAY = 86_400;

  @TempDir private Path directory;

  @Test
  void retentionMayTakeAllOfAnIdleTopic() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory);
        KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
      producer.initTransactions();
      write(kafka, producer, 0, 1, 10); // offset 0, and 1 for its mark
      topic.addPartition();
      write(kafka, producer, 1, 2, 20);
      producer.beginTransaction();
      producer.send(change(1, 3, 30)); // 2
      producer.flush();
      producer.abortTransaction(); // 3
      Map<Integer, Long> ends = Map.of(0, 2L, 1, 4L);
      TestJob.await("the mark", () -> kafka.endOffsets("orders").equals(ends));

      try (LocalJob job =
          LocalJob.start(topic.settings("record: {interval: 1s}\n"), RunOptions.streaming())) {
        TestJob.await(
            "the record says the ends",
            () -> offsets(topic).equals("{\"orders\":{\"0\":2,\"1\":4}}"));
      }
      topic.forgetBelow(0, 2);
      topic.forgetBelow(1, 4);

      assertThat(run(topic).err()).isEmpty();
      assertThat(topic.summary()).doesNotContainKey("tidemark.gaps");
      write(kafka, producer, 1, 2, 40);
      write(kafka, producer, 0, 4, 50);
      assertThat(run(topic).exit()).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "at 10", 2L, "at 40", 4L, "at 50"));
    }
  }

  /** Nobody looked in time: then it cannot be told any more whether a record was there. */
  @Test
  void marksThatNobodySawInTimeAreARangeThatIsGone() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory);
        KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
      topic.put(1, "at 10", 10, 1);
      assertThat(run(topic).exit()).isZero();
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(change(0, 1, 20));
      producer.flush();
      producer.abortTransaction();
      try (KafkaProducer<byte[], byte[]> next = producer(kafka)) {
        next.initTransactions(); // returns when the mark of the one before is written
      }
      topic.forgetBelow(3);

      Outcome refused = run(topic);
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(refused.err())
          .contains("orders-0: offset 1 is needed, Kafka begins at 3: offsets 1 to 2 are gone")
          .contains("Marks of transactions and what was aborted have offsets too");
    }
  }

  /** The record says offset 7, and the last that a reader has to tell of is the record at 5. */
  @Test
  void anAcceptedReplayIsThroughBeforeTheMarks() throws Exception {
    String more = "tombstones: {retention: 1d}\nrecord: {interval: 1s}\n";
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory);
        KafkaProducer<byte[], byte[]> producer = producer(kafka)) {
      producer.initTransactions();
      topic.producedAt(10); // so that nothing is too old for Kafka
      write(kafka, producer, 0, 1, 10); // offset 0, and 1 for its mark
      topic.delete(1, 20, 20); // 2
      write(kafka, producer, 0, 2, 30); // 3, 4
      write(kafka, producer, 0, 3, 6 * DAY); // 5, 6
      String file = Files.writeString(topic.file(), topic.yaml() + more).toString();
      String[] run = {"run", "-c", file, "--until", "caught-up"};
      assertThat(topic.type(run).err()).isEmpty();
      topic.delete(8, 6 * DAY + 1, 6 * DAY + 1); // 7, with which what is forgotten goes
      producer.beginTransaction();
      producer.send(change(0, 9, 7 * DAY)); // 8
      producer.flush();
      producer.abortTransaction(); // 9
      TestJob.await("the mark", () -> kafka.endOffsets("orders").equals(Map.of(0, 10L)));
      assertThat(topic.type(run).err()).isEmpty();
      assertThat(offsets(topic)).isEqualTo("{\"orders\":{\"0\":10}}");
      assertThat(topic.summary()).containsEntry("tidemark.horizon", "1970-01-06");

      StartFrom earliest = StartFrom.parse("earliest");
      stopAt(1, topic.settings(more), RunOptions.catchUp().from(earliest).acceptingHorizon());
      assertThat(topic.summary()).containsKey("tidemark.replay");
      assertThat(topic.rows()).containsOnlyKeys(1L, 2L, 3L);
      RunOptions again = RunOptions.streaming().from(earliest).acceptingHorizon();
      try (LocalJob job = LocalJob.start(topic.settings(more), again)) {
        TestJob.await("it is through", () -> !topic.summary().containsKey("tidemark.replay"));
      }
      assertThat(topic.type(run).err()).isEmpty();
      assertThat(topic.rows()).containsOnlyKeys(2L, 3L);
    }
  }

  private void stopAt(long offset, Settings settings, RunOptions options) throws Exception {
    Parts stopped =
        new Parts() {
          @Override
          public Map<TopicPartition, Long> until(Map<TopicPartition, Long> real) {
            return Map.of(new TopicPartition("orders", 0), offset);
          }
        };
    try (TestCluster cluster = TestCluster.start(1, 1, directory, Map.of());
        TestJob job = cluster.submit(settings, options, stopped)) {
      job.awaitEnd();
    }
  }

  private static String offsets(OrdersTopic topic) {
    try {
      Table table = topic.table();
      return table.currentSnapshot() == null
          ? ""
          : table.currentSnapshot().summary().getOrDefault("tidemark.offsets", "");
    } catch (NoSuchTableException e) {
      return "";
    }
  }

  private static KafkaProducer<byte[], byte[]> producer(EmbeddedKafka kafka) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "source"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** A producer returns when the end of its transaction is decided; the mark comes after that. */
  private static void write(
      EmbeddedKafka kafka, KafkaProducer<byte[], byte[]> producer, int partition, long id, long lsn)
      throws Exception {
    long end = kafka.endOffsets("orders").get(partition);
    producer.beginTransaction();
    producer.send(change(partition, id, lsn));
    producer.commitTransaction();
    TestJob.await("the mark", () -> kafka.endOffsets("orders").get(partition) == end + 2);
  }

  private static ProducerRecord<byte[], byte[]> change(int partition, long id, long lsn) {
    String after = "{\"id\":%d,\"note\":\"at %d\"}".formatted(id, lsn);
    return OrdersTopic.record(
        "orders", partition, null, id, OrdersTopic.envelope("u", "null", after, lsn, lsn));
  }

  private static Outcome run(OrdersTopic topic) throws IOException {
    return topic.type("run", "-c", topic.file() + "", "--until", "caught-up");
  }
}
