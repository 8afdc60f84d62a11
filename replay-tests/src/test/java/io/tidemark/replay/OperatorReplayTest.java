package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.Retention;
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

  /**
   * Days pass in the log, and deleted keys are forgotten after one to three of them. What comes late
   * for those is put aside, and that is all that is lost.
   */
  @Test
  void forgottenKeysStayDeadWhateverHappens() {
    int[] seen = {0, 0};
    Seed.upTo("OperatorReplayTest, forgetting", 60)
        .forEach(
            seed -> {
              Random random = new Random(seed);
              EventScript script = EventScript.of(forgettingOptions(seed, random));
              SimulatedTable table = forgettingTable("forgetting-" + seed, script, random);
              List<String> story = run(table, random);
              assertThat(table.problems()).as("seed %s: %s, %s", seed, script, story).isEmpty();
              seen[0] += table.putAside();
              seen[1] += table.droppedTombstones();
            });
    System.out.println(
        "OperatorReplayTest: " + seen[0] + " late changes, " + seen[1] + " tombstones dropped");
  }

  /** Ties do not go with it: of two changes at one position the later copy stands. */
  static ScriptOptions forgettingOptions(long seed, Random random) {
    return ScriptOptions.of(seed)
        .partitions(1 + random.nextInt(3))
        .size(3 + random.nextInt(6), 12 + random.nextInt(12))
        .resnapshots(random.nextInt(2))
        .repeated(random.nextInt(3), random.nextInt(20), random.nextInt(3) == 0 ? 1 : 0)
        .hoursApart(8 + random.nextInt(60));
  }

  static SimulatedTable forgettingTable(String name, EventScript script, Random random) {
    return new SimulatedTable(
        SimulatedTable.inMemory(name),
        script.log(),
        PARTITIONINGS.get(random.nextInt(PARTITIONINGS.size())),
        new Retention(1 + random.nextInt(3)));
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
        .repeated(random.nextInt(3), random.nextInt(8), random.nextInt(6) == 0 ? 1 : 0);
  }
}
