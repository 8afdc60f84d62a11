package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import io.tidemark.oracle.TableReport;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The real operators on a real catalog, moved by hand: whatever happens to checkpoints, jobs and
 * their state, every snapshot equals the log.
 */
class OperatorReplayTest {

  /** Iceberg waits as often as it computes. */
  private static final int THREADS = 4;

  private static final List<List<String>> PARTITIONINGS =
      List.of(
          List.of(),
          List.of("region"),
          List.of("bucket(2, id)"),
          List.of("region", "bucket(2, id)"));

  @Test
  void everySnapshotEqualsTheLogWhateverHappens() {
    Runs runs = Runs.of("operators", "OperatorReplayTest");
    runs.forEach(
        1,
        THREADS,
        seed -> {
          Random random = new Random(seed);
          EventScript script = EventScript.of(options(seed, random));
          SimulatedTable table =
              new SimulatedTable(
                  SimulatedTable.inMemory("operators-" + seed),
                  script.log(),
                  PARTITIONINGS.get(random.nextInt(PARTITIONINGS.size())));
          SimulatedRun run = new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.ALL);
          List<String> story = run(run);
          run.troubles().forEach(runs::fault);
          assertThat(table.problems()).as("%s, %s", script, story).isEmpty();
          TableReport report = table.report();
          runs.count("keys", table.keys());
          runs.count("snapshots checked", report.snapshots());
          runs.count("rows compared", report.rows());
          SharedMemoryCatalog.forget("operators-" + seed);
        });
  }

  private static List<String> run(SimulatedRun run) {
    try {
      return run.run();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static ScriptOptions options(long seed, Random random) {
    return ScriptOptions.of(seed)
        .partitions(1 + random.nextInt(4))
        .size(3 + random.nextInt(6), 8 + random.nextInt(12))
        .resnapshots(random.nextInt(2))
        .ties(random.nextInt(3) * 0.15)
        .repeated(random.nextInt(3), random.nextInt(8), random.nextInt(6) == 0 ? 1 : 0)
        .unsent(random.nextInt(3) * 0.35, random.nextBoolean());
  }
}
