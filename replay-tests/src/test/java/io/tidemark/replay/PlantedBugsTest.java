package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The proof is proven: each bug that the design is made against is planted, and the same runs that
 * are right without it are then seen to go wrong.
 */
class PlantedBugsTest {

  @Test
  void theSameRunsAreRightWithoutABug() {
    for (long seed = 1; seed <= 6; seed++) {
      assertThat(problems("none", Parts.REAL, seed)).as("seed %s", seed).isEmpty();
      assertThat(forgetting("none", Parts.REAL, seed)).as("seed %s", seed).isEmpty();
    }
  }

  @Test
  void lsnAloneAsVersionIsCaught() {
    caught("lsn alone as version", Plants.LSN_ALONE);
  }

  @Test
  void strictGreaterThanOnTiesIsCaught() {
    caught("strict greater-than on ties", Plants.STRICTLY_GREATER);
  }

  @Test
  void aRowLevelFoldOfUnsentColumnsIsCaught() {
    caught("row-level TOAST fold", Plants.ROW_LEVEL_FOLD);
  }

  @Test
  void aForgottenTombstoneIsCaught() {
    caught("a forgotten tombstone", Plants.FORGOTTEN_TOMBSTONE);
  }

  @Test
  void anElidedDeleteForAKnownKeyIsCaught() {
    caught("an elided delete for a known key", Plants.ELIDED_DELETE);
  }

  @Test
  void twoBatchesMergedInOneAreCaught() {
    caught("two batches merged in one", Plants.MERGED_BATCHES, 3);
  }

  @Test
  void anAbortedCheckpointsFilesWithARecordOfTheirOwnAreCaught() {
    caught(
        "an aborted checkpoint's files with a record of their own", Plants.ABORTED_WITH_RECORD, 2);
  }

  @Test
  void checkpointNumbersAsCommitIdentityAreCaught() {
    caught("checkpoint numbers as commit identity", Plants.CHECKPOINT_AS_IDENTITY, 2);
  }

  @Test
  void aStartFromKafkaGroupOffsetsIsCaught() {
    caught("start from Kafka group offsets", Plants.GROUP_OFFSETS);
  }

  @Test
  void aDeleteThatWinsEveryTieIsCaught() {
    caught("a delete that wins every tie", Plants.DELETES_FIRST, 4);
  }

  @Test
  void aNullRecordTakenForADeleteIsCaught() {
    caught("a null record taken for a delete", Plants.NULL_IS_A_DELETE);
  }

  @Test
  void aDeleteInTheNewPartitionIsCaught() {
    caught("a delete in the new partition", Plants.OLD_PARTITION_IGNORED);
  }

  @Test
  void aCommitOnWhateverIsThereIsCaught() {
    caught("a commit on whatever is there", Plants.NO_SWAP, 2);
  }

  @Test
  void theHorizonOfTheFastestPartitionIsCaught() {
    caughtForgetting("the horizon of the fastest partition", ForgettingPlants::fastest, 2);
  }

  @Test
  void theHorizonOfAClockIsCaught() {
    caughtForgetting("the horizon of a clock", () -> ForgettingPlants.HORIZON_OF_A_CLOCK, 1);
  }

  @Test
  void forgottenMarksOfLiveKeysAreCaught() {
    caughtForgetting("forgotten marks of live keys", () -> ForgettingPlants.LIVE_KEYS_FORGOTTEN, 1);
  }

  @Test
  void oldChangesOfUnknownKeysThatAreAppliedAreCaught() {
    caughtForgetting(
        "old changes of unknown keys applied", () -> ForgettingPlants.OLD_CHANGES_APPLIED, 2);
  }

  /**
   * The same for a bug in how deleted keys are forgotten.
   *
   * @param parts anew for each run
   */
  private static void caughtForgetting(String bug, Supplier<Parts> parts, long seed) {
    caught(bug, other -> forgetting(bug, parts.get(), other), seed);
  }

  private static List<String> forgetting(String bug, Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script = EventScript.of(OperatorReplayTest.forgettingOptions(seed, random));
    SimulatedTable table =
        OperatorReplayTest.forgettingTable("bugs-" + bug.hashCode() + "-" + seed, script, random);
    try {
      new SimulatedRun(table, parts, random, SimulatedRun.Trouble.often(20)).run();
      return table.problems();
    } catch (Exception | AssertionError e) {
      return List.of("the run failed: " + e.getMessage());
    }
  }

  private static void caught(String bug, Parts parts) {
    caught(bug, parts, 1);
  }

  /**
   * Runs a bug from the one seed that is known to show it, and by night from more.
   *
   * @param seed that must show it
   */
  private static void caught(String bug, Parts parts, long seed) {
    caught(bug, other -> wrong(bug, parts, other), seed);
  }

  private static void caught(String bug, LongFunction<List<String>> run, long seed) {
    List<String> wrong = run.apply(seed);
    assertThat(wrong).as("%s, seed %s", bug, seed).isNotEmpty();
    System.out.println(bug + ": caught with seed " + seed + ":\n  " + wrong.get(0));
    long more = Long.getLong("tidemark.runs.bugs", 1) - 1;
    long caught = 0;
    for (long other = 1001; other <= 1000 + more; other++) {
      caught += run.apply(other).isEmpty() ? 0 : 1;
    }
    if (more > 0) {
      Runs.note("bug, " + bug + ": caught in " + caught + " of " + more + " other runs");
    }
  }

  /** A version that is only written down differently loses nothing by itself. */
  private static List<String> wrong(String bug, Parts parts, long seed) {
    return problems(bug, parts, seed).stream().filter(p -> !p.contains(" has version ")).toList();
  }

  private static List<String> problems(String bug, Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script =
        EventScript.of(
            ScriptOptions.of(seed)
                .partitions(2)
                .size(6, 16)
                .ties(0.3)
                .repeated(1, 5, 0)
                .unsent(0.3, true));
    SimulatedTable table =
        new SimulatedTable(
            SimulatedTable.inMemory("bugs-" + bug.hashCode() + "-" + seed),
            script.log(),
            List.of("region"));
    try {
      new SimulatedRun(table, parts, random, SimulatedRun.Trouble.often(20)).run();
      return table.problems();
    } catch (Exception | AssertionError e) {
      return List.of("the run failed: " + e.getMessage());
    }
  }
}
