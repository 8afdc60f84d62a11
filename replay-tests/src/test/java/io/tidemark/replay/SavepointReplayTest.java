package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.JobID;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** States of Flink that are restored as they are, changed, twice, too late, or not at all. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class SavepointReplayTest {

  private static final Duration DEADLINE = Duration.ofMinutes(2);

  @TempDir static Path directory;
  private static TestCluster cluster;

  @BeforeAll
  static void startFlink() throws Exception {
    cluster = TestCluster.start(1, 12, directory.resolve("checkpoints"), Map.of());
  }

  @AfterAll
  static void stopFlink() throws Exception {
    cluster.close();
  }

  @Test
  void aJobIsRescaledAndChangesItsBackendBySavepoints() throws Exception {
    Topic topic = new Topic("rescaled", 11);
    topic.send(0);
    String savepoint = null;
    int part = 1;
    for (int parallelism : List.of(1, 4, 2)) {
      ReplayJob sized =
          topic.job.with(
              Map.of(
                  "parallelism.default",
                  Integer.toString(parallelism),
                  "state.backend.type",
                  parallelism == 4 ? "rocksdb" : "hashmap"));
      try (TestJob running = savepoint == null ? start(sized) : restore(sized, savepoint)) {
        running.awaitRunning();
        assertThat(running.gates()).isEqualTo(parallelism);
        topic.send(part++);
        savepoint = running.stop(directory, false);
      }
    }

    topic.end(restore(topic.job, savepoint));
  }

  @Test
  void incrementalCheckpointsOfRocksAreRestoredAtAnotherParallelism() throws Exception {
    restoredFromCheckpoints("rocks", 12, "rocksdb");
  }

  @Test
  void checkpointsOfTheHeapAreRestoredAtAnotherParallelism() throws Exception {
    restoredFromCheckpoints("heap", 13, "hashmap");
  }

  private void restoredFromCheckpoints(String name, long seed, String backend) throws Exception {
    Topic topic = new Topic(name, seed);
    Map<String, String> flink = new HashMap<>();
    flink.put("state.backend.type", backend);
    flink.put("execution.checkpointing.incremental", "true");
    flink.put(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    flink.put("parallelism.default", "3");
    topic.send(0);
    String checkpoint;
    try (TestJob running = start(topic.job.with(flink))) {
      topic.awaitCaughtUp(running);
      topic.send(1);
      running.awaitMoreCheckpoints(2);
      topic.send(2);
      checkpoint = running.checkpoint();
    }
    flink.put("parallelism.default", "1");
    topic.send(3);

    topic.end(restore(topic.job.with(flink), checkpoint));
  }

  @Test
  void aStopWithSavepointLeavesNothingToCommit() throws Exception {
    Topic topic = new Topic("stopped", 14);
    topic.send(0);
    String savepoint;
    try (TestJob running = start(topic.job)) {
      topic.awaitCaughtUp(running);
      topic.send(1);
      savepoint = running.stop(directory, false);
    }
    topic.job.invariants().everySnapshot();
    long snapshot = snapshot(topic.job.table());

    // Records that the first job had not read yet may be read now, but without a checkpoint they
    // are not committed: what a restored job commits before its first one was left in the
    // savepoint.
    ReplayJob withoutCheckpoints = topic.job.with(Map.of("execution.checkpointing.interval", "1h"));
    try (TestJob restored = restore(withoutCheckpoints, savepoint)) {
      restored.awaitRunning();
      assertThat(snapshot(topic.job.table())).isEqualTo(snapshot);
    }
    topic.end(restore(topic.job, savepoint));
  }

  @Test
  void aDrainedJobRecordsAllThatItRead() throws Exception {
    Topic topic = new Topic("drained", 15);
    topic.send(0);
    try (TestJob running = start(topic.job)) {
      topic.awaitCaughtUp(running);
      // What is sent again changes nothing: a running job would record it within the hour.
      topic.send(0);
      running.awaitMoreCheckpoints(2);
      running.stop(directory, true);
    }

    topic.job.check();
  }

  @Test
  void ofTwoJobsFromOneSavepointOneStopsAndNamesTheOther() throws Exception {
    Topic topic = new Topic("twice", 16);
    topic.send(0);
    String savepoint;
    try (TestJob running = start(topic.job)) {
      topic.awaitCaughtUp(running);
      savepoint = running.stop(directory, false);
    }
    topic.send(1);
    TestJob one = restore(topic.job, savepoint);
    TestJob other = restore(topic.job, savepoint);
    TestJob.await("one of two jobs stops", () -> !one.isAlive() || !other.isAlive());
    TestJob stopped = one.isAlive() ? other : one;
    TestJob winner = one.isAlive() ? one : other;

    assertThat(stopped.awaitFailure())
        .contains("The table is ahead of this job")
        .contains("by incarnation " + topic.job.lastRecord().get("tidemark.incarnation"));
    topic.end(winner);
  }

  @Test
  void anOlderSavepointThanTheTableIsRefusedAndChangesNothing() throws Exception {
    Topic topic = new Topic("older", 17);
    topic.send(0);
    String savepoint;
    try (TestJob running = start(topic.job)) {
      topic.awaitCaughtUp(running);
      savepoint = running.savepoint(directory);
      topic.send(1);
      topic.awaitCaughtUp(running);
    }
    long snapshot = snapshot(topic.job.table());

    assertThat(restore(topic.job, savepoint).awaitFailure())
        .contains("The table is ahead of this job: its last commit is ");

    assertThat(snapshot(topic.job.table())).isEqualTo(snapshot);
    topic.end(start(topic.job));
  }

  @Test
  void aSavepointWhoseOffsetsKafkaHasNoMoreIsRefusedAndChangesNothing() throws Exception {
    Topic topic = new Topic("forgotten", 21);
    topic.send(0);
    String savepoint;
    try (TestJob running = start(topic.job)) {
      topic.awaitCaughtUp(running);
      TestJob.await(
          "the consumer group, which is for monitoring, stands where the last checkpoint does",
          () ->
              ReplayKafka.groupOffsets(topic.job.group())
                  .equals(ReplayKafka.ends(topic.job.topic())));
      savepoint = running.savepoint(directory);
      topic.send(1);
      topic.awaitCaughtUp(running);
    }
    long snapshot = snapshot(topic.job.table());
    ReplayKafka.forgetAll(topic.job.topic());
    ReplayJob once = topic.job.with(Map.of("restart-strategy.type", "none"));

    // The table's record is at the end, and the state is not: whichever is met first.
    assertThat(restore(once, savepoint).awaitFailure())
        .containsAnyOf("OffsetOutOfRangeException", "The table is ahead of this job");

    topic.send(2);
    ReplayKafka.forgetAll(topic.job.topic());
    assertThatThrownBy(() -> restore(once, savepoint))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("forgotten-0: offset ");
    assertThat(snapshot(topic.job.table())).isEqualTo(snapshot);
  }

  @Test
  void anOperatorIsAddedAndRemovedAndTheOthersKeepTheirState() throws Exception {
    Topic topic = new Topic("graph", 18);
    ReplayKafka.createTopic("graph-dead", 1);
    ReplayJob withLetters = topic.job.and("errors: {policy: dead-letter, topic: graph-dead}");
    topic.send(0);
    String first;
    try (TestJob running = start(topic.job)) {
      topic.awaitCaughtUp(running);
      first = running.stop(directory, false);
    }
    String second;
    topic.send(1);
    try (TestJob running = restore(withLetters, first)) {
      topic.awaitCaughtUp(running);
      second = running.stop(directory, false);
    }
    topic.send(2);
    assertThat(SavepointNames.of(second))
        .as(
            "uids and state names that savepoints of all builds have: whoever changes one makes"
                + " `flink run -s` of an older savepoint fail, or go on without what it keeps")
        .isEqualTo(
            Map.of(
                "source", Set.of("SourceReaderState"),
                "decode", Set.of("partitions"),
                "gate",
                    Set.of(
                        "_timer_state/event_forget",
                        "_timer_state/processing_forget",
                        "columns",
                        "horizon",
                        "key",
                        "keeping",
                        "marks",
                        "read",
                        "replay",
                        "rows"),
                "commit", Set.of("commits", "end"),
                "dead-letters", Set.of("writer_raw_states"),
                "Sink Committer: dead-letters", Set.of("streaming_committer_raw_states")));

    assertThat(restore(topic.job, second).awaitFailure())
        .contains("the operator is not available in the new program");

    topic.end(
        restore(
            topic.job.with(Map.of("execution.state-recovery.ignore-unclaimed-state", "true")),
            second));
  }

  @Test
  void anotherMaximumParallelismNeedsAStartWithoutState() throws Exception {
    Topic topic = new Topic("maximum", 19);
    topic.send(0);
    String savepoint;
    try (TestJob running = start(topic.job.with(Map.of("pipeline.max-parallelism", "16")))) {
      topic.awaitCaughtUp(running);
      savepoint = running.stop(directory, false);
    }
    topic.send(1);
    ReplayJob changed = topic.job.with(Map.of("pipeline.max-parallelism", "32"));
    long snapshot = snapshot(topic.job.table());

    assertThat(restore(changed, savepoint).awaitFailure()).contains("max parallelism");

    assertThat(snapshot(topic.job.table())).isEqualTo(snapshot);
    topic.end(start(changed));
  }

  @Test
  void aJobWithoutStateUnderTheSameIdDropsNoCommit() throws Exception {
    Topic topic = new Topic("same-id", 20);
    JobID id = new JobID();
    for (int part = 0; part < 2; part++) {
      topic.send(part);
      // A cluster refuses an id that it has seen; each of these counts checkpoints from one.
      try (TestCluster another =
              TestCluster.start(1, 2, directory.resolve("same-id-" + part), Map.of());
          TestJob running =
              another.submit(topic.job.settings(), RunOptions.streaming(), Parts.REAL, id)) {
        topic.awaitCaughtUp(running);
      }
    }
    topic.end(start(topic.job));
  }

  private static TestJob start(ReplayJob job) throws Exception {
    return cluster.submit(job.settings(), RunOptions.streaming(), Parts.REAL);
  }

  private static TestJob restore(ReplayJob job, String from) throws Exception {
    return start(job.restoredFrom(from));
  }

  private static long snapshot(Table table) {
    return table.currentSnapshot().snapshotId();
  }

  /** A topic that is sent in parts, and its job. */
  private static final class Topic {
    private static final int PARTS = 4;
    private final ReplayJob job;
    private final List<RawEvent> events;

    private Topic(String name, long usualSeed) {
      events =
          EventScript.of(
                  ScriptOptions.of(Seed.of(name, usualSeed))
                      .topic(name)
                      .partitions(3)
                      .size(20, 80)
                      .ties(0.1)
                      .repeated(2, 10, 0))
              .events();
      ReplayKafka.createTopic(name, 3);
      job =
          new ReplayJob(
                  name,
                  directory.resolve("lake-" + name),
                  OracleOptions.DEFAULT,
                  List.of("partition: [region]"))
              .with(
                  Map.of(
                      "execution.checkpointing.interval", "100ms",
                      "execution.checkpointing.tolerable-failed-checkpoints", "1000"));
    }

    private void send(int part) {
      int size = events.size();
      ReplayKafka.produce(
          job.topic(), events.subList(size * part / PARTS, size * (part + 1) / PARTS));
    }

    private void awaitCaughtUp(TestJob running) throws Exception {
      job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
    }

    /** Sends the last part, lets the job catch up, and checks everything. */
    private void end(TestJob running) throws Exception {
      try (running) {
        send(PARTS - 1);
        System.out.println(job.invariants().awaitCaughtUp(DEADLINE, running::isAlive));
      }
    }
  }
}
