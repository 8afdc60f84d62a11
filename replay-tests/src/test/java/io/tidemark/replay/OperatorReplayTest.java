package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
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

  private static final List<List<String>> PARTITIONINGS =
      List.of(
          List.of(),
          List.of("region"),
          List.of("bucket(2, id)"),
          List.of("region", "bucket(2, id)"));

  @Test
  void everySnapshotEqualsTheLogWhateverHappens() {
    int[] stories = {0};
    Seed.upTo("OperatorReplayTest", 200)
        .forEach(
            seed -> {
              Random random = new Random(seed);
              EventScript script = EventScript.of(options(seed, random));
              SimulatedTable table =
                  new SimulatedTable(
                      SimulatedTable.inMemory("operators-" + seed),
                      script.log(),
                      PARTITIONINGS.get(random.nextInt(PARTITIONINGS.size())));
              List<String> story = run(table, random);
              stories[0] += story.size();
              assertThat(table.problems()).as("seed %s: %s, %s", seed, script, story).isEmpty();
            });
    System.out.println("OperatorReplayTest: " + stories[0] + " troubles");
  }

  private static List<String> run(SimulatedTable table, Random random) {
    try {
      return new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.ALL).run();
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
