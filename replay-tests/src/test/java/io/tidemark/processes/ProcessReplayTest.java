package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.tidemark.oracle.FileReport;
import io.tidemark.oracle.Invariants;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.oracle.TableReport;
import io.tidemark.replay.Runs;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed, stopped and cut off from each other, by a plan that a seed gives, while the
 * job keeps a table. Afterwards every snapshot that the table ever had is compared with the log.
 *
 * <p>{@code -Dtidemark.runs.processes=N} makes N runs, {@code -Dtidemark.faults.processes=N} gives
 * each N faults.
 */
class ProcessReplayTest {
  private static final String TOPIC = "orders";

  /** A run that hangs is a failure; each of its waits has a deadline of its own. */
  private static final Duration LONGEST_RUN = Duration.ofMinutes(25);

  /**
   * How many files a fault leaves, in the mean of a run. The most that an attempt can leave is, for
   * each writer and each checkpoint that was not committed, 9: rows and deletes in four regions,
   * and tombstones; and where the outcome of a commit is unknown, of each of two tables its list
   * and its manifests of rows and deletes. But most faults meet writers that have no file, or a
   * commit that is made again from the same files: 18 of them have left 43 and 47, and 20 on a
   * machine ten times too busy, where tasks fail by themselves, 111. That is too loose for a leak
   * of a few files; the end without faults is not.
   */
  private static final int LEFT_PER_FAULT = 12;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path dir;

  @Test
  void whateverIsKilledEverySnapshotEqualsTheLog() {
    Runs runs = Runs.of("processes", "ProcessReplayTest");
    runs.forEach(
        seed -> {
          Path own = Files.createDirectory(dir.resolve("seed-" + seed));
          assertTimeoutPreemptively(LONGEST_RUN, () -> run(runs, seed, own));
          FileUtils.deleteDirectoryQuietly(own.toFile());
        });
  }

  private static void run(Runs runs, long seed, Path own) throws Exception {
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
                .repeated(4, 40, 0)
                .connectorAheadHours(random.nextInt(19) - 9));
    System.out.println("-Dtidemark.seed=" + seed + ": " + script);
    System.out.println("faults: " + plan);
    runs.count("keys", new Oracle(OracleOptions.DEFAULT, script.log(), Offsets.NONE).keys());
    try (ProcessStack stack = ProcessStack.start(own);
        FlinkCluster first = FlinkCluster.start("first", own, stack.storage(), 2);
        FlinkCluster second = FlinkCluster.start("second", own, stack.storage(), 1)) {
      RunningJob job = new RunningJob(stack, TOPIC, first, second);
      // Faults take two pieces, two kinds of them three; one begins, and some are left for the end.
      int pieces = 2 * plan.size() + plan.size() / 6 + 4;
      FaultyRun.Pieces log = new FaultyRun.Pieces(stack, TOPIC, script.events(), pieces);
      begin(stack, job, log);
      Invariants invariants = stack.invariants(TOPIC);
      TableReport report;
      try {
        meetAll(plan, runs, new FaultyRun(stack, job, random, log));
        report = end(stack, job, log, invariants);
      } catch (Exception | AssertionError e) {
        alsoWrong(invariants, e);
        throw e;
      }
      runs.count("snapshots checked", report.snapshots());
      runs.count("rows compared", report.rows());
      FileReport files = invariants.files().explainedBy(plan.size() + 2, LEFT_PER_FAULT);
      System.out.println(files);
      runs.count("files left behind", files.left());
    }
  }

  private static void meetAll(List<FaultKind> plan, Runs runs, FaultyRun run) throws Exception {
    for (FaultKind kind : plan) {
      long started = System.nanoTime();
      run.meet(kind);
      System.out.printf("%s: %.1f s%n", kind, (System.nanoTime() - started) / 1e9);
      runs.fault(kind.name().toLowerCase(Locale.ROOT).replace('_', ' '), 1);
    }
  }

  /** Of a run that failed because something did not come, the table may say more. */
  private static void alsoWrong(Invariants invariants, Throwable failure) {
    try {
      System.out.println("the table is right up to then: " + invariants.everySnapshot());
    } catch (RuntimeException | AssertionError wrong) {
      System.out.println("the table is wrong, too: " + wrong.getMessage());
      failure.addSuppressed(wrong);
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

  /** Faults have stopped: the table catches up, no file is left, and a replay changes nothing. */
  private static TableReport end(
      ProcessStack stack, RunningJob job, FaultyRun.Pieces log, Invariants invariants)
      throws Exception {
    stack.catalogProxy().fail(CatalogProxy.Fault.REFUSED_503, 0);
    int commits = job.commits();
    log.next();
    job.awaitCommit(commits); // all its tasks run: none of an attempt that failed still writes
    invariants.awaitCaughtUp(Await.DEADLINE, job::isAlive);
    int troubles = job.troubles();
    FileReport before = invariants.files();
    log.rest();
    invariants.awaitCaughtUp(Await.DEADLINE, job::isAlive);
    // On a machine that is too busy a checkpoint may fail, or a task, without a fault of ours.
    int more = Math.max(0, job.troubles() - troubles);
    job.stopWithSavepoint(); // not canceled: what it was about to commit would be left
    invariants.files().since(before).explainedBy(more, LEFT_PER_FAULT);
    System.out.println(job.fenced() + " jobs stopped before another's commit");
    RememberedTable remembered = invariants.remember();
    job.start(null, "--from", "earliest", "--until", "caught-up");
    job.awaitEnd();
    remembered.orThrow();
    assertThat(stack.catalogProxy().met()).as("commits that met a fault").isPositive();
    return invariants.everySnapshot();
  }
}
