package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.StartPosition;
import io.tidemark.fault.Parts;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.merge.Seed;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Task managers and checkpoint storage that are lost, and starts that take long to read marks. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CheckpointFaultsTest {

  private static final Duration DEADLINE = Duration.ofMinutes(2);

  @TempDir static Path directory;
  private static TestCluster cluster;

  @BeforeAll
  static void startFlink() throws Exception {
    cluster =
        TestCluster.start(
            2,
            2,
            directory.resolve("checkpoints"),
            Map.of(
                "jobmanager.scheduler", "adaptive",
                "jobmanager.adaptive-scheduler.executing.cooldown-after-rescaling", "0s",
                "jobmanager.adaptive-scheduler.executing.resource-stabilization-timeout", "0s",
                "jobmanager.adaptive-scheduler.submission.resource-stabilization-timeout", "1s",
                "jobmanager.adaptive-scheduler.rescale-trigger.max-delay", "0s"));
  }

  @AfterAll
  static void stopFlink() throws Exception {
    cluster.close();
  }

  @Test
  void aJobThatLosesATaskManagerGoesOnWithFewerGatesAndThenWithMore() throws Exception {
    List<RawEvent> events = events("lost", 31);
    ReplayJob job =
        job("lost")
            .with(
                Map.of(
                    "parallelism.default", "4",
                    "state.backend.type", "rocksdb",
                    "execution.checkpointing.incremental", "true"));
    send(job, events, 0);
    try (TestJob running = cluster.submit(job.settings(), RunOptions.streaming(), Parts.REAL)) {
      TestJob.await("four gates", () -> running.gates() == 4);
      job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
      send(job, events, 1);
      cluster.killTaskManager();
      TestJob.await("two gates", () -> running.gates() == 2);
      send(job, events, 2);
      running.awaitMoreCheckpoints(2);
      cluster.startTaskManager();
      TestJob.await("four gates again", () -> running.gates() == 4);
      send(job, events, 3);
      System.out.println(job.invariants().awaitCaughtUp(DEADLINE, running::isAlive));
    }
  }

  @Test
  void checkpointsThatCannotBeKeptCommitNothingAndLoseNothing() throws Exception {
    List<RawEvent> events = events("storage", 32);
    Path storage = directory.resolve("storage");
    ReplayJob job =
        job("storage")
            .with(
                Map.of(
                    "execution.checkpointing.dir",
                    storage.toUri().toString(),
                    "execution.checkpointing.tolerable-failed-checkpoints",
                    "100000"));
    send(job, events, 0);
    try (TestJob running = cluster.submit(job.settings(), RunOptions.streaming(), Parts.REAL)) {
      job.invariants().awaitCaughtUp(DEADLINE, running::isAlive);
      replaceByFile(storage);
      long failed = running.failedCheckpoints();
      send(job, events, 1);
      TestJob.await("checkpoints fail", () -> running.failedCheckpoints() > failed + 2);
      long snapshot = job.table().currentSnapshot().snapshotId();
      send(job, events, 2);
      TestJob.await("more fail", () -> running.failedCheckpoints() > failed + 5);
      assertThat(job.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
      Files.delete(storage);
      send(job, events, 3);
      System.out.println(job.invariants().awaitCaughtUp(DEADLINE, running::isAlive));
    }
    job.files().explainedBy(0, 0);
  }

  @Test
  void noCheckpointCompletesBeforeTheMarksAreRead() throws Exception {
    List<RawEvent> events = events("seeding", 33);
    ReplayJob job = job("seeding");
    send(job, events, 0);
    send(job, events, 1);
    job.catchUp();
    RememberedTable before = job.invariants().remember();
    SlowSeed.reset();
    Parts slow =
        new Parts() {
          @Override
          public Seed seed(@Nullable Seed real) {
            return new SlowSeed(real);
          }
        };

    try (TestJob running =
        cluster.submit(
            job.settings(), RunOptions.streaming().from(new StartPosition.Earliest()), slow)) {
      TestJob.await("marks are read again after a failure", () -> SlowSeed.STARTED.get() >= 2);
      assertThatThrownBy(() -> running.tryCheckpoint()).isInstanceOf(ExecutionException.class);
      assertThat(running.checkpoints()).isZero();
      SlowSeed.GO_ON.countDown();
      running.awaitMoreCheckpoints(3);
      before.orThrow();
      send(job, events, 2);
      send(job, events, 3);
      System.out.println(job.invariants().awaitCaughtUp(DEADLINE, running::isAlive));
    }
    before.orThrow();
  }

  /** Fails in the first attempt, with some marks read, and waits in the others. */
  private record SlowSeed(Seed real) implements Seed {
    private static final long serialVersionUID = 1L;
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static CountDownLatch GO_ON = new CountDownLatch(1);

    private static void reset() {
      STARTED.set(0);
      GO_ON = new CountDownLatch(1);
    }

    @Override
    public LiveRows read(BiConsumer<PrimaryKey, Mark> marks)
        throws IOException, InterruptedException {
      boolean fails = STARTED.getAndIncrement() == 0;
      AtomicInteger read = new AtomicInteger();
      return real.read(
          (key, mark) -> {
            marks.accept(key, mark);
            if (read.incrementAndGet() == 3) {
              pause(fails);
            }
          });
    }

    private static void pause(boolean fails) {
      if (fails) {
        throw new UnavailableException("planted fault while marks are read", null);
      }
      try {
        GO_ON.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("interrupted while marks are read", e);
      }
    }
  }

  private static void replaceByFile(Path storage) throws IOException {
    // The job writes there: a file may come while the others are deleted.
    for (; ; ) {
      try (Stream<Path> files = Files.walk(storage)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
        Files.createFile(storage);
        return;
      } catch (java.nio.file.DirectoryNotEmptyException
          | java.nio.file.FileAlreadyExistsException
          | java.io.UncheckedIOException e) {
        Thread.onSpinWait();
      }
    }
  }

  private static void send(ReplayJob job, List<RawEvent> events, int quarter) {
    int size = events.size();
    ReplayKafka.produce(job.topic(), events.subList(size * quarter / 4, size * (quarter + 1) / 4));
  }

  private static List<RawEvent> events(String topic, long usualSeed) {
    return EventScript.of(
            ScriptOptions.of(io.tidemark.replay.Seed.of(topic, usualSeed))
                .topic(topic)
                .partitions(3)
                .size(20, 80)
                .ties(0.1)
                .repeated(1, 5, 0))
        .events();
  }

  private static ReplayJob job(String topic) {
    ReplayKafka.createTopic(topic, 3);
    return new ReplayJob(
            topic,
            directory.resolve("lake-" + topic),
            OracleOptions.DEFAULT,
            List.of("partition: ['bucket(2, id)']"))
        .with(Map.of("execution.checkpointing.interval", "100ms"));
  }
}
