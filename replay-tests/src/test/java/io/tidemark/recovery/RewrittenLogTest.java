package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.job.TestJob;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A broker comes back from a copy, and others are written where the table's last records were. */
@Timeout(300)
class RewrittenLogTest {
  @TempDir private Path directory;

  @Test
  void otherRecordsBelowTheRecordedOffsetAreNotPassedOver() throws Exception {
    Path data = directory.resolve("kafka");
    Path copy = directory.resolve("copy");
    try (EmbeddedKafka kafka = EmbeddedKafka.startRestartable(data);
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "kept", 10, 1);
      kafka.stop();
      copy(data, copy);
      kafka.startAgain();
      topic.put(2, "lost", 20, 2);
      topic.put(3, "lost", 30, 3);
      assertThat(run(topic).exit()).isZero();
      assertThat(run(topic).exit()).isZero(); // the same record still stands there
      kafka.stop();
      delete(data);
      copy(copy, data);
      kafka.startAgain();
      topic.put(4, "new", 40, 4);
      topic.put(5, "new", 50, 5);
      topic.put(6, "new", 60, 6);
      long before = topic.table().currentSnapshot().snapshotId();

      Outcome refused = run(topic);
      assertThat(refused.err())
          .contains("Table shop.orders was made from another log than Kafka has now:")
          .containsPattern(
              "orders-0: at offset 2 was a record of 20\\S+Z with the hash [0-9a-f]{16},"
                  + " now there is a record of 20\\S+Z with the hash [0-9a-f]{16}\n")
          .contains("--from earliest")
          .doesNotContain("note"); // nothing of what records hold
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(run(topic, "--dry-run").exit()).isEqualTo(3);
      Outcome check = topic.type("check", "-c", topic.file().toString());
      assertThat(check.exit()).isEqualTo(1);
      assertThat(check.out())
          .contains("orders-0: at offset 2 was a record of")
          .contains("the end of the partition was lost and written anew");
      assertThat(topic.table().currentSnapshot().snapshotId()).isEqualTo(before);

      assertThat(run(topic, "--from", "earliest").err()).isEmpty();
      Map<Long, String> all =
          Map.of(1L, "kept", 2L, "lost", 3L, "lost", 4L, "new", 5L, "new", 6L, "new");
      assertThat(topic.rows()).isEqualTo(all);
      assertThat(run(topic).err()).isEmpty();

      // Retention takes the record that would be compared: nothing is known any more.
      topic.forgetBelow(4);
      assertThat(run(topic).err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(all);
    }
  }

  /** What is new lies between the last record and the recorded offset. */
  @Test
  void recordsWhereNoneWereAreNotPassedOver() throws Exception {
    Path data = directory.resolve("kafka");
    Path copy = directory.resolve("copy");
    try (EmbeddedKafka kafka = EmbeddedKafka.startRestartable(data);
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "kept", 10, 1);
      kafka.stop();
      copy(data, copy);
      kafka.startAgain();
      abort(kafka, 1); // offsets 1, and 2 for its mark
      assertThat(run(topic).err()).isEmpty();
      assertThat(topic.summary()).containsEntry("tidemark.offsets", "{\"orders\":{\"0\":3}}");
      abort(kafka, 3); // a run with an end moves past these, and says the same last record
      assertThat(run(topic).err()).isEmpty();
      assertThat(run(topic).err()).isEmpty();
      kafka.stop();
      delete(data);
      copy(copy, data);
      kafka.startAgain();
      topic.put(4, "new", 40, 4); // 1
      abort(kafka, 2);
      abort(kafka, 4);

      Outcome refused = run(topic);
      assertThat(refused.err())
          .contains("Table shop.orders was made from another log than Kafka has now:")
          .containsPattern(
              "orders-0: at offset 1 was no record, the last one was at 0, now there is a record"
                  + " of 20\\S+Z\n")
          .contains("--from earliest");
      assertThat(refused.exit()).isEqualTo(3);

      assertThat(run(topic, "--from", "earliest").err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "kept", 4L, "new"));
      assertThat(run(topic).err()).isEmpty();
    }
  }

  @Test
  void anAcceptedGapIsNoOtherLog() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "read", 10, 1);
      assertThat(run(topic).err()).isEmpty();
      abort(kafka, 1);
      assertThat(run(topic).err()).isEmpty();
      topic.put(2, "left out", 20, 2); // 3
      topic.put(3, "left out", 30, 3);
      abort(kafka, 5);
      assertThat(run(topic, "--from", "orders:0=6", "--accept-gap").err()).isEmpty();
      assertThat(topic.summary()).containsKey("tidemark.gaps");

      assertThat(run(topic).err()).isEmpty();
      assertThat(topic.type("check", "-c", topic.file().toString()).out())
          .contains("Kafka has all that follows the table's record");
      assertThat(run(topic, "--from", "orders:0=4").err()).isEmpty();
      assertThat(run(topic).err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "read"));
    }
  }

  /** A transaction of one record, which is aborted, from an offset on. */
  private static void abort(EmbeddedKafka kafka, long offset) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "source"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(
          OrdersTopic.record(
              "orders",
              0,
              null,
              9,
              OrdersTopic.envelope("u", "null", "{\"id\":9,\"note\":\"aborted\"}", 99, 99)));
      producer.flush();
      producer.abortTransaction();
    }
    TestJob.await("the mark", () -> kafka.endOffsets("orders").equals(Map.of(0, offset + 2)));
  }

  private static Outcome run(OrdersTopic topic, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("run", "-c", topic.file() + "", "--until", "caught-up"));
    words.addAll(List.of(more));
    return topic.type(words.toArray(String[]::new));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path path : all.toList()) {
        Path target = to.resolve(from.relativize(path));
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
