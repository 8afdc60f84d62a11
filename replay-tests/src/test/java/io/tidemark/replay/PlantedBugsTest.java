package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;

/**
 * The proof is proven: each bug that the design is made against is planted, and the same runs that
 * are right without it are then seen to go wrong.
 */
class PlantedBugsTest {

  private static final String MISSING = "I2 .*: missing .*, expected";
  private static final String ALIEN = "I2 .*: row that the log does not have";
  private static final String OLD = "I2 .*}[.][a-z_]+ is [^n{].*, expected";
  private static final String TWICE = "I3 .* live rows";
  private static final String REFUSED =
      "the run failed: .*CommitRefusedException: Commit .* records .* up to .*, below .*, on which";
  private static final String HORIZON = "I6: the horizon is .*, the slowest partition was at";

  @Test
  void theSameRunsAreRightWithoutABug() {
    for (long seed : new long[] {1, 2, 3, 4, 9}) {
      assertThat(problems("none", Parts.REAL, seed)).as("seed %s", seed).isEmpty();
      assertThat(forgetting("none", Parts.REAL, seed)).as("seed %s", seed).isEmpty();
    }
  }

  @Test
  void lsnAloneAsVersionIsCaught() {
    caught("lsn alone as version", SourcePlants.LSN_ALONE, 9, OLD);
  }

  @Test
  void strictGreaterThanOnTiesIsCaught() {
    caught("strict greater-than on ties", Plants.STRICTLY_GREATER, 1, ALIEN);
  }

  @Test
  void aRowLevelFoldOfUnsentColumnsIsCaught() {
    caught("row-level TOAST fold", Plants.ROW_LEVEL_FOLD, 1, "I2 .*}[.][a-z]+ is null, expected");
  }

  @Test
  void aForgottenTombstoneIsCaught() {
    caught(
        "a forgotten tombstone",
        Plants.FORGOTTEN_TOMBSTONE,
        1,
        "I5 .*no tombstone for .*found \\[]");
  }

  @Test
  void anElidedDeleteForAKnownKeyIsCaught() {
    caught("an elided delete for a known key", Plants.ELIDED_DELETE, 1, TWICE);
  }

  @Test
  void twoBatchesMergedInOneAreCaught() {
    caught("two batches merged in one", Plants.MERGED_BATCHES, 3, TWICE);
  }

  @Test
  void anAbortedCheckpointsFilesWithARecordOfTheirOwnAreCaught() {
    caught(
        "an aborted checkpoint's files with a record of their own",
        Plants.ABORTED_WITH_RECORD,
        2,
        MISSING);
  }

  @Test
  void checkpointNumbersAsCommitIdentityAreCaught() {
    caught("checkpoint numbers as commit identity", Plants.CHECKPOINT_AS_IDENTITY, 2, MISSING);
  }

  @Test
  void aStartFromKafkaGroupOffsetsIsCaught() {
    caught("start from Kafka group offsets", Plants.GROUP_OFFSETS, 1, MISSING);
  }

  @Test
  void aDeleteThatWinsEveryTieIsCaught() {
    caught("a delete that wins every tie", Plants.DELETES_FIRST, 4, MISSING);
  }

  @Test
  void aNullRecordTakenForADeleteIsCaught() {
    caught("a null record taken for a delete", Plants.NULL_IS_A_DELETE, 9, MISSING);
  }

  @Test
  void aDeleteInTheNewPartitionIsCaught() {
    caught("a delete in the new partition", Plants.OLD_PARTITION_IGNORED, 1, TWICE);
  }

  @Test
  void aCommitOnWhateverIsThereIsCaught() {
    caught(
        "a commit on whatever is there",
        Plants.NO_SWAP,
        2,
        REFUSED,
        "I6 .*(offsets went back|parent is)");
  }

  @Test
  void aCommitThatNothingFencesIsCaught() {
    caught("a commit that nothing fences", Plants.NO_FENCE, 13, TWICE);
  }

  @Test
  void theHorizonOfTheFastestPartitionIsCaught() {
    caughtForgetting("the horizon of the fastest partition", ForgettingPlants::fastest, 2, HORIZON);
  }

  @Test
  void theHorizonOfAClockIsCaught() {
    caughtForgetting(
        "the horizon of a clock", () -> ForgettingPlants.HORIZON_OF_A_CLOCK, 1, HORIZON);
  }

  @Test
  void forgottenMarksOfLiveKeysAreCaught() {
    caughtForgetting(
        "forgotten marks of live keys", () -> ForgettingPlants.LIVE_KEYS_FORGOTTEN, 1, TWICE);
  }

  @Test
  void oldChangesOfUnknownKeysThatAreAppliedAreCaught() {
    caughtForgetting(
        "old changes of unknown keys applied",
        () -> ForgettingPlants.OLD_CHANGES_APPLIED,
        2,
        "I5 .* was deleted at .*, back with");
  }

  @Test
  void anAcceptedReplayThatTheRecordForgetsIsCaught() {
    String bug = "an accepted replay that the record forgets";
    caught(bug, seed -> accepting(bug, ForgettingPlants.REPLAYS_FORGOTTEN, seed), 2, ALIEN);
  }

  /**
   * The same for a bug in how deleted keys are forgotten.
   *
   * @param parts anew for each run
   */
  private static void caughtForgetting(
      String bug, Supplier<Parts> parts, long seed, String... says) {
    caught(bug, other -> forgetting(bug, parts.get(), other), seed, says);
  }

  private static void caught(String bug, Parts parts, long seed, String... says) {
    caught(bug, other -> problems(bug, parts, other), seed, says);
  }

  /**
   * Runs a bug from the one seed that is known to show it, and by night from more. It is caught
   * where the check says what this bug must do: whatever else goes wrong, an exception among it,
   * counts for nothing.
   *
   * @param seed that must show it
   * @param says regular expressions; one finding must match one of them from its beginning
   */
  private static void caught(
      String bug, LongFunction<List<String>> run, long seed, String... says) {
    Pattern expected = Pattern.compile("(?s)(" + String.join("|", says) + ").*");
    List<String> found = run.apply(seed);
    assertThat(found)
        .as("%s, seed %s", bug, seed)
        .anyMatch(finding -> expected.matcher(finding).matches());
    System.out.println(bug + ": caught with seed " + seed + ":");
    found.stream()
        .filter(finding -> expected.matcher(finding).matches())
        .limit(1)
        .forEach(finding -> System.out.println("  " + finding));
    long more = Runs.count("bugs") - 1;
    long first = 1000 + Runs.firstSeed();
    long caught = 0;
    for (long other = first; other < first + more; other++) {
      caught +=
          run.apply(other).stream().anyMatch(finding -> expected.matcher(finding).matches())
              ? 1
              : 0;
    }
    if (more > 0) {
      Runs.note(
          "bug, %s: caught in %d of %d other runs, seeds %d to %d, commit %s"
              .formatted(bug, caught, more, first, first + more - 1, GitCommit.current()));
    }
  }

  private static List<String> forgetting(String bug, Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script = EventScript.of(OperatorReplayTest.forgettingOptions(seed, random));
    SimulatedTable table =
        OperatorReplayTest.forgettingTable("bugs-" + bug.hashCode() + "-" + seed, script, random);
    return found(table, parts, random);
  }

  private static List<String> accepting(String bug, Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script = EventScript.of(OperatorReplayTest.forgettingOptions(seed, random));
    SimulatedTable table =
        OperatorReplayTest.forgettingTable("bugs-" + bug.hashCode() + "-" + seed, script, random);
    try {
      new SimulatedRun(table, parts, random, SimulatedRun.Trouble.accepting(25)).run();
    } catch (Exception e) {
      return List.of("the run failed: " + ExceptionUtils.stringifyException(e));
    }
    return table.problemsAtTheEnd();
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
    return found(table, parts, random);
  }

  private static List<String> found(SimulatedTable table, Parts parts, Random random) {
    return found(
        () -> new SimulatedRun(table, parts, random, SimulatedRun.Trouble.often(20)).run(),
        table::problems);
  }

  /** What the check finds; of a run that does not end also why. */
  static List<String> found(Callable<?> run, Callable<List<String>> check) {
    List<String> found = new ArrayList<>();
    try {
      run.call();
    } catch (Exception | AssertionError e) {
      found.add("the run failed: " + ExceptionUtils.stringifyException(e));
    }
    try {
      found.addAll(check.call());
    } catch (Exception | AssertionError e) {
      found.add("the check failed: " + ExceptionUtils.stringifyException(e));
    }
    return found;
  }
}
