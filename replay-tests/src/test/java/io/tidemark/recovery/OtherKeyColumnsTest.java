package io.tidemark.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Settings;
import io.tidemark.fault.Parts;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.types.Types;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The columns of a table's key are changed by somebody else, and the job goes on from its state.
 * There the keys are as the columns were.
 */
@Timeout(300)
class OtherKeyColumnsTest {
  @TempDir private static Path broker;
  private static EmbeddedKafka kafka;

  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(broker);
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void keyColumnsInAnotherOrder() throws Exception {
    refused("order", "long", update -> update.moveFirst("b"), false);
  }

  @Test
  void keyColumnOfALongerType() throws Exception {
    refused("type", "int", update -> update.updateColumn("b", Types.LongType.get()), true);
  }

  private void refused(
      String name, String typeBefore, Consumer<UpdateSchema> change, boolean tombstonesToo)
      throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, name, directory)) {
      put(topic, 1, 2, "old", 100);
      String yaml =
          topic
              .yaml()
              .replace("key: [id]", "key: [id, b]")
              .replace("{id: long, note", "{id: long, b: " + typeBefore + ", note");
      String savepoint;
      try (TestCluster cluster = TestCluster.start(1, 1, directory, Map.of());
          TestJob job = cluster.submit(settings(yaml), RunOptions.streaming(), Parts.REAL)) {
        job.awaitMoreCheckpoints(2);
        TestJob.await("rows", () -> topic.rows().size() == 1);
        savepoint = job.stop(directory.resolve("savepoints"), false);
      }
      UpdateSchema update = topic.table().updateSchema();
      change.accept(update);
      update.commit();
      if (tombstonesToo) {
        update = topic.tombstones().updateSchema();
        change.accept(update);
        update.commit();
      }
      String changed = yaml.replace("b: int", "b: long");
      put(topic, 1, 2, "new", 101);
      Settings restoring =
          settings(
              changed.replace(
                  "flink: {", "flink: {execution.state-recovery.path: '" + savepoint + "', "));
      try (TestCluster cluster = TestCluster.start(1, 1, directory, Map.of());
          TestJob job = cluster.submit(restoring, RunOptions.streaming(), Parts.REAL)) {
        TestJob.await(
            "it commits, or has failed",
            () -> topic.rows().get(1L).contains("new") || !job.isAlive());
        assertThat(topic.rows()).isEqualTo(Map.of(1L, "old"));
        assertThat(job.awaitFailure())
            .contains("The keys of the state are made of the columns id long, b " + typeBefore);
      }
      Path file = Files.writeString(directory.resolve(name + ".yaml"), changed);
      Outcome run = topic.type("run", "-c", file.toString(), "--until", "caught-up");
      assertThat(run.err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "new"));
    }
  }

  private static Settings settings(String yaml) {
    return Settings.parse(yaml, Map.of());
  }

  private static void put(OrdersTopic topic, long id, long b, String note, long lsn)
      throws Exception {
    String after = "{\"id\":%d,\"b\":%d,\"note\":\"%s\"}".formatted(id, b, note);
    topic.send(
        new ProducerRecord<>(
            topic.name,
            0,
            null,
            "{\"id\":%d,\"b\":%d}".formatted(id, b).getBytes(UTF_8),
            OrdersTopic.envelope("u", "null", after, lsn, lsn).getBytes(UTF_8)));
  }
}
