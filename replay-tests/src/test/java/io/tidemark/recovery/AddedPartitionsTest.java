package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.Settings;
import io.tidemark.fault.Parts;
import io.tidemark.job.JobFailedException;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Partitions are added to a topic, and keys move with that, also between the partitions that were
 * there: key 1 from partition 0 to 1. What does not compare with what it had there stops the job,
 * and goes on with the command that the message names.
 */
@Timeout(300)
class AddedPartitionsTest {
  private static final String REFUSED =
      "partitions came to this topic after the table had been read, and this one brings ";

  @TempDir private static Path broker;
  private static EmbeddedKafka kafka;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start(broker.resolve("kafka"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void aSnapshotInAnOldPartitionIsRefusedAtTheFirstStartAfterwards() throws Exception {
    try (OrdersTopic topic = twoPartitions("snapshot")) {
      assertThat(run(topic, topic.file()).err()).isEmpty();
      topic.growTo(3);
      topic.into(1).snapshotRow(1, "newer", 200, 300);

      assertThat(run(topic, topic.file(), "--dry-run").err()).contains(REFUSED);
      Outcome stopped = run(topic, topic.file());
      assertThat(stopped.err())
          .contains("topic snapshot, partition 1, offset 1: " + REFUSED + "rows of a snapshot");
      assertThat(topic.rows()).containsEntry(1L, "old");
      goesOn(topic, topic.file(), stopped);
    }
  }

  /** Whose state names no partition but the old ones. */
  @Test
  void aSnapshotInAnOldPartitionIsRefusedByARestore() throws Exception {
    try (OrdersTopic topic = twoPartitions("restored")) {
      String savepoint;
      try (TestCluster cluster = TestCluster.start(1, 1, directory, Map.of());
          TestJob job = cluster.submit(topic.settings(""), RunOptions.streaming(), Parts.REAL)) {
        job.awaitMoreCheckpoints(2);
        TestJob.await("rows", () -> topic.rows().size() == 2);
        savepoint = job.stop(directory.resolve("savepoints"), false);
      }
      topic.growTo(3);
      topic.into(1).snapshotRow(1, "newer", 200, 300);
      String restoring =
          topic
              .yaml()
              .replace("flink: {", "flink: {execution.state-recovery.path: '" + savepoint + "', ");
      try (TestCluster cluster = TestCluster.start(1, 1, directory, Map.of());
          TestJob job =
              cluster.submit(
                  Settings.parse(restoring, Map.of()), RunOptions.streaming(), Parts.REAL)) {
        assertThat(job.awaitFailure()).contains(REFUSED + "rows of a snapshot");
      }
      assertThat(topic.rows()).containsEntry(1L, "old");
      Outcome stopped = run(topic, topic.file());
      assertThat(stopped.err()).contains(REFUSED);
      goesOn(topic, topic.file(), stopped);
    }
  }

  /** Its offset there is lower than that of the row's last change here. */
  @Test
  void aChangeThatItsOffsetOrdersIsRefusedAtTheFirstStartAfterwards() throws Exception {
    try (OrdersTopic topic = twoPartitions("offsets")) {
      topic.into(0).put(1, "old", 101, 101);
      topic.put(1, "old", 102, 102);
      Path file = byOffset(topic);
      assertThat(run(topic, file).err()).isEmpty();
      topic.growTo(3);
      topic.into(1).put(1, "newer", 103, 103);

      assertThat(run(topic, file, "--dry-run").err()).contains(REFUSED);
      Outcome stopped = run(topic, file);
      assertThat(stopped.err()).contains(REFUSED + "changes that only their offsets order");
      assertThat(topic.rows()).containsEntry(1L, "old");
      goesOn(topic, file, stopped);
    }
  }

  /** No reader has heard of the partition: nothing was written into it. */
  @Test
  void aJobWhoseChangesOffsetsOrderStopsBeforeItCommitsWhatCameAfterwards() throws Exception {
    try (OrdersTopic topic = twoPartitions("running")) {
      topic.into(0).put(1, "old", 101, 101);
      topic.put(1, "old", 102, 102);
      Path file = byOffset(topic);
      assertThat(run(topic, file).err()).isEmpty();
      Settings settings = Settings.parse(Files.readString(file), Map.of());
      try (LocalJob job = LocalJob.start(settings, RunOptions.streaming())) {
        topic.put(3, "is running", 103, 103);
        TestJob.await("it runs", () -> topic.rows().size() == 3);
        String kept = topic.summary().get("tidemark.offsets");
        topic.growTo(3);
        topic.into(1).put(1, "newer", 104, 104);
        topic.put(4, "a change", 105, 105); // the one before it seems none
        TestJob.await(
            "it stops, or commits them",
            () -> !job.isRunning() || !kept.equals(topic.summary().get("tidemark.offsets")));

        assertThat(topic.summary()).containsEntry("tidemark.offsets", kept);
        assertThatThrownBy(job::await)
            .isInstanceOf(JobFailedException.class)
            .hasStackTraceContaining(
                "Topic running has 3 partitions now, and partition 2 came after")
            .hasStackTraceContaining("./tidemark epoch -c FILE --begin running:2=0 --all");
      }
      goesOn(topic, file, run(topic, file));
    }
  }

  /** All partitions have passed by far what any held when one was added. */
  @Test
  void aSnapshotLongAfterwardsIsNotRefused() throws Exception {
    try (OrdersTopic topic = twoPartitions("long-ago")) {
      assertThat(run(topic, topic.file()).err()).isEmpty();
      topic.growTo(3);
      topic.into(2).put(3, "late", 110, 110);
      topic.into(0).put(4, "further", 120, 120);
      topic.into(1).put(2, "further", 130, 130);
      topic.into(2).put(3, "further", 140, 140);
      assertThat(run(topic, topic.file()).err()).isEmpty();
      topic.into(1).snapshotRow(1, "newer", 200, 300);

      assertThat(run(topic, topic.file()).err()).isEmpty();
      assertThat(topic.rows()).containsEntry(1L, "newer");
      topic.invariants().caughtUp();
    }
  }

  private OrdersTopic twoPartitions(String name) throws Exception {
    OrdersTopic topic = new OrdersTopic(kafka, name, directory);
    topic.growTo(2);
    topic.into(0).put(1, "old", 100, 100);
    topic.into(1).put(2, "other", 50, 50);
    return topic;
  }

  private Path byOffset(OrdersTopic topic) throws Exception {
    return Files.writeString(
        directory.resolve("offsets.yaml"), topic.yaml() + "    version: kafka-offset\n");
  }

  private static void goesOn(OrdersTopic topic, Path file, Outcome stopped) throws Exception {
    assertThat(topic.type(stopped.command()).exit()).isZero();
    assertThat(run(topic, file).err()).isEmpty();
    assertThat(topic.rows()).containsEntry(1L, "newer").containsEntry(2L, "other");
    assertThat(topic.type("verify", "-c", file + "").out()).contains("EQUAL: every key and column");
  }

  private static Outcome run(OrdersTopic topic, Path file, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("run", "-c", file + "", "--until", "caught-up"));
    words.addAll(List.of(more));
    return topic.type(words.toArray(String[]::new));
  }
}
