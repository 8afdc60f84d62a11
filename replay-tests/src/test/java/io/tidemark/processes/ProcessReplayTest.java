package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.Invariants;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.oracle.TableReport;
import io.tidemark.replay.Seed;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes are killed, stopped and cut off from each other, by a plan that a seed gives, while the
 * job keeps a table. Afterwards every snapshot that the table ever had is compared with the log.
 *
 * <p>{@code -Dtidemark.runs.processes=N} makes N runs, {@code -Dtidemark.faults.processes=N} gives
 * each N faults.
 */
@Timeout(900)
class ProcessReplayTest {
  private static final String TOPIC = "orders";

  /** Files of one attempt: data, deletes, tombstones, manifests and their lists, of two tables. */
  private static final int LEFT_PER_FAULT = 60;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  static LongStream seeds() {
    return Seed.upTo("ProcessReplayTest", Integer.getInteger("tidemark.runs.processes", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void whateverIsKilledEverySnapshotEqualsTheLog(long seed) throws Exception {
    Random random = new Random(seed);
    List<FaultKind> plan = plan(random);
    EventScript script =
        EventScript.of(
            ScriptOptions.of(seed)
                .topic(TOPIC)
                .partitions(ProcessStack.PARTITIONS)
                .size(40, 40 * plan.size())
                .resnapshots(1)
                .ties(0.1)
                .repeated(4, 40, 0));
    List<RawEvent> events = script.events();
    System.out.println("-Dtidemark.seed=" + seed + " at commit " + commit() + ": " + script);
    System.out.println("faults: " + plan);
    try (ProcessStack stack = ProcessStack.start(dir);
        FlinkCluster first = FlinkCluster.start("first", dir, stack.storage(), 2);
        FlinkCluster second = FlinkCluster.start("second", dir, stack.storage(), 1)) {
      RunningJob job = new RunningJob(stack, TOPIC, first, second);
      FaultyRun.Pieces log = new FaultyRun.Pieces(stack, TOPIC, events, 2 * plan.size() + 4);
      begin(stack, job, log);
      FaultyRun run = new FaultyRun(stack, job, random, log);
      for (FaultKind kind : plan) {
        long started = System.nanoTime();
        run.meet(kind);
        System.out.printf("%s: %.1f s%n", kind, (System.nanoTime() - started) / 1e9);
      }
      log.rest();
      end(stack, job, plan.size());
    }
  }

  private static List<FaultKind> plan(Random random) {
    int faults = Integer.getInteger("tidemark.faults.processes", FaultKind.values().length);
    List<FaultKind> plan = new ArrayList<>();
    while (plan.size() < faults) {
      List<FaultKind> all = new ArrayList<>(List.of(FaultKind.values()));
      if (!ChildJvm.canLimitFiles()) {
        System.out.println("without DISK_FULL: there is no prlimit here");
        all.remove(FaultKind.DISK_FULL);
      }
      Collections.shuffle(all, random);
      plan.addAll(all.subList(0, Math.min(all.size(), faults - plan.size())));
    }
    return plan;
  }

  private static void begin(ProcessStack stack, RunningJob job, FaultyRun.Pieces log) {
    stack.catalogServer().awaitReady();
    stack.broker().createTopic(TOPIC, ProcessStack.PARTITIONS);
    log.next(); // a table takes its columns from what is there
    job.cluster().awaitReady();
    job.start(null);
    Await.until("a first commit", () -> job.commits() > 0, job.cluster()::tails);
  }

  private static void end(ProcessStack stack, RunningJob job, int faults) throws Exception {
    Invariants invariants = stack.invariants(TOPIC);
    TableReport report = invariants.awaitCaughtUp(Await.DEADLINE, job::isAlive);
    job.stop();
    System.out.println(report + "; " + job.fenced() + " jobs stopped before another's commit");
    RememberedTable remembered = invariants.remember();
    job.start(null, "--from", "earliest", "--until", "caught-up");
    job.awaitEnd();
    remembered.orThrow();
    invariants.everySnapshot();
    System.out.println(invariants.files().explainedBy(faults, LEFT_PER_FAULT));
    assertThat(stack.catalogProxy().met()).as("commits that met a fault").isPositive();
  }

  private static String commit() {
    try {
      Process git = new ProcessBuilder("git", "rev-parse", "--short", "HEAD").start();
      return new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
