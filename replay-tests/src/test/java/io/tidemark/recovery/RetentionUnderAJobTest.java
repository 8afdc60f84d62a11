package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.job.RunOptions;
import io.tidemark.job.TestJob;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kafka forgets what a job that runs, or a partition that came later, was to read next. */
@Timeout(300)
class RetentionUnderAJobTest {
  @TempDir private Path directory;

  @Test
  void theJobNamesTheOffsetAndAStartWithoutStateTheRange() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "read", 10, 1);
      topic.run(RunOptions.catchUp());
      topic.put(1, "again", 15, 2);

      Outcome stopped = passedByRetention(kafka, topic);
      assertThat(stopped.err())
          .contains("Kafka does not have the offset that comes next: partition orders-0, offset 2,")
          .contains("Start without state (./tidemark run -c " + streaming(topic) + ")");
      assertThat(stopped.exit()).isEqualTo(3);
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "again"));

      Outcome refused = run(topic);
      assertThat(refused.err())
          .contains("orders-0: offset 2 is needed, Kafka begins at 3: offsets 2 to 2 are gone")
          .contains("add --accept-gap");
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(run(topic, "--accept-gap").exit()).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "again", 3L, "kept"));
      assertThat(topic.summary())
          .containsEntry("tidemark.gaps", "{\"orders\":{\"0\":[{\"from\":2,\"to\":2}]}}");

      topic.addPartition();
      topic.put(4, "lost", 40, 4);
      topic.put(5, "kept", 50, 5);
      topic.forgetBelow(1, 1);
      Outcome late = run(topic);
      assertThat(late.err())
          .contains("orders-1: offset 0 is needed, Kafka begins at 1: offsets 0 to 0 are gone");
      assertThat(late.exit()).isEqualTo(3);
      assertThat(run(topic, "--accept-gap").exit()).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "again", 3L, "kept", 5L, "kept"));
      assertThat(topic.summary().get("tidemark.gaps")).contains("\"1\":[{\"from\":0,\"to\":0}]");
    }
  }

  /** A transaction that is open keeps the job from reading what is then deleted. */
  private Outcome passedByRetention(EmbeddedKafka kafka, OrdersTopic topic) throws Exception {
    long before = topic.table().currentSnapshot().snapshotId();
    Path file = streaming(topic);
    CompletableFuture<Outcome> job =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return topic.type("run", "-c", file + "");
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    TestJob.await(
        "the job commits what is there",
        () -> topic.table().currentSnapshot().snapshotId() != before);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers(), "transactional.id", "open"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(change(2, "lost", 20));
      producer.send(change(3, "kept", 30));
      producer.flush();
      topic.forgetBelow(3);
      Outcome stopped = job.get();
      producer.commitTransaction();
      return stopped;
    }
  }

  private static ProducerRecord<byte[], byte[]> change(long id, String note, long lsn) {
    String after = "{\"id\":%d,\"note\":\"%s\"}".formatted(id, note);
    return OrdersTopic.record(
        "orders", 0, null, id, OrdersTopic.envelope("u", "null", after, lsn, lsn));
  }

  /** Without restarts, which do not bring records back and would take a minute. */
  private Path streaming(OrdersTopic topic) throws IOException {
    return Files.writeString(
        directory.resolve("streaming.yaml"),
        topic.yaml().replace("flink: {", "flink: {restart-strategy.type: disable, "));
  }

  private static Outcome run(OrdersTopic topic, String... more) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("run", "-c", topic.file() + "", "--until", "caught-up"));
    words.addAll(List.of(more));
    return topic.type(words.toArray(String[]::new));
  }
}
