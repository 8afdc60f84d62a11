package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.TableCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The job that is to keep a table, on one of two clusters. */
final class RunningJob {
  private static final String AHEAD = "The table is ahead of this job";

  private final ProcessStack stack;
  private final String topic;
  private final Path config;
  private FlinkCluster cluster;
  private FlinkCluster standby;
  private String id = "";
  private int fenced;

  RunningJob(ProcessStack stack, String topic, FlinkCluster cluster, FlinkCluster standby) {
    this.stack = stack;
    this.topic = topic;
    this.config = stack.config(topic);
    this.cluster = cluster;
    this.standby = standby;
  }

  FlinkCluster cluster() {
    return cluster;
  }

  Path config() {
    return config;
  }

  String id() {
    return id;
  }

  /** How many jobs have stopped because another one had committed. */
  int fenced() {
    return fenced;
  }

  /** Submits it; a broker or catalog that is still starting is asked again. */
  void start(@Nullable String savepoint, String... arguments) {
    StringBuilder refused = new StringBuilder();
    Await.until(
        "a job starts",
        () -> {
          try {
            id = cluster.run(config, savepoint, arguments);
            return true;
          } catch (IllegalStateException e) {
            refused.append(e.getMessage()).append('\n');
            return false;
          }
        },
        () -> refused + cluster.tails());
  }

  void follow(String other) {
    id = other;
  }

  /** The cluster that was its own stands by from now on. */
  void moveToStandby() {
    FlinkCluster before = cluster;
    cluster = standby;
    standby = before;
    cluster.awaitReady();
  }

  /**
   * Sees to it that there is a job. One that was lost with its job manager may still have had a
   * commit under way when its successor was planned: then the successor stops, as it must, and is
   * started again.
   */
  void ensureRunning() {
    String status = cluster.rest().status(id);
    if (status.equals("FAILED")) {
      assertThat(cluster.rest().failure(id)).as(this::state).contains(AHEAD);
      fenced++;
      start(null);
    } else {
      assertThat(status).as(this::state).isNotEqualTo("FINISHED").isNotEqualTo("CANCELED");
    }
  }

  int commits() {
    return stack.commits(topic);
  }

  long snapshot() {
    return stack.table(topic).currentSnapshot().sequenceNumber();
  }

  void awaitCommit(int before) {
    Await.until(
        "a commit after " + before,
        () -> {
          ensureRunning();
          return commits() > before;
        },
        this::state);
  }

  /** Failed checkpoints and restarts. */
  int troubles() {
    return cluster.rest().troubles(id);
  }

  /** Waits until a job has stopped for good, with a message that names the one that goes on. */
  void awaitFenced(FlinkCluster where, String other) {
    Await.until(
        "job " + other + " stops",
        () -> where.rest().status(other).equals("FAILED"),
        () -> where.rest().failure(other) + where.tails());
    assertThat(where.rest().failure(other)).contains(AHEAD, "by incarnation " + incarnation());
    fenced++;
  }

  /** Who has made the table's last commit. */
  private String incarnation() {
    return stack.table(topic).currentSnapshot().summary().get("tidemark.incarnation");
  }

  String stopWithSavepoint() {
    String savepoint = cluster.rest().stopWithSavepoint(id);
    Await.until("the job stops", () -> cluster.rest().status(id).equals("FINISHED"), this::state);
    return savepoint;
  }

  /** Waits until the job has a complete checkpoint, which outlives its job manager. */
  void awaitCheckpoint() {
    Await.until(
        "a checkpoint",
        () -> {
          ensureRunning();
          return newestCheckpoint().isPresent();
        },
        this::state);
  }

  /** The newest complete checkpoint that a job manager has left behind. */
  String retainedCheckpoint() {
    return newestCheckpoint().orElseThrow().toUri().toString();
  }

  private Optional<Path> newestCheckpoint() {
    Path checkpoints = stack.storage().resolve("checkpoints").resolve(id);
    if (!Files.exists(checkpoints)) {
      return Optional.empty();
    }
    try (Stream<Path> found = Files.list(checkpoints)) {
      return found
          .filter(path -> Files.exists(path.resolve("_metadata")))
          .max(Comparator.comparingInt(path -> number(path)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int number(Path checkpoint) {
    return Integer.parseInt(checkpoint.getFileName().toString().substring("chk-".length()));
  }

  /** Cancels it; what it was about to commit may be lost with it. */
  void stop() {
    cluster.rest().cancel(id);
    Await.until("the job ends", () -> cluster.rest().status(id).equals("CANCELED"), this::state);
  }

  /** Waits until a run with an end has reached it. */
  void awaitEnd() {
    Await.until(
        "the run ends", () -> cluster.rest().status(id).matches("FINISHED|FAILED"), this::state);
    assertThat(cluster.rest().status(id)).as(this::state).isEqualTo("FINISHED");
  }

  boolean isAlive() {
    ensureRunning();
    return true;
  }

  /** For a failure: what is known of the job. */
  String state() {
    return "%s is %s; the table's record: %s; %s%n%s"
        .formatted(
            id,
            cluster.rest().status(id),
            TableCheck.lastOffsets(stack.table(topic)).next(),
            cluster.rest().failure(id),
            cluster.tails());
  }
}
