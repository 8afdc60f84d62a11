package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The proof is proven: each bug that the design is made against is planted, and the same runs that
 * are right without it are then seen to go wrong.
 */
class PlantedBugsTest {

  private static final int SEEDS = 6;

  @Test
  void theSameRunsAreRightWithoutABug() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      assertThat(problems("none", Parts.REAL, seed)).as("seed %s", seed).isEmpty();
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
  void aForgottenTombstoneIsCaught() {
    caught("a forgotten tombstone", Plants.FORGOTTEN_TOMBSTONE);
  }

  @Test
  void anElidedDeleteForAKnownKeyIsCaught() {
    caught("an elided delete for a known key", Plants.ELIDED_DELETE);
  }

  @Test
  void twoBatchesMergedInOneAreCaught() {
    caught("two batches merged in one", Plants.MERGED_BATCHES);
  }

  @Test
  void anAbortedCheckpointsFilesWithARecordOfTheirOwnAreCaught() {
    caught("an aborted checkpoint's files with a record of their own", Plants.ABORTED_WITH_RECORD);
  }

  @Test
  void checkpointNumbersAsCommitIdentityAreCaught() {
    caught("checkpoint numbers as commit identity", Plants.CHECKPOINT_AS_IDENTITY);
  }

  @Test
  void aStartFromKafkaGroupOffsetsIsCaught() {
    caught("start from Kafka group offsets", Plants.GROUP_OFFSETS);
  }

  private static void caught(String bug, Parts parts) {
    List<String> first = new ArrayList<>();
    int caught = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<String> problems = problems(bug, parts, seed);
      if (!problems.isEmpty()) {
        caught++;
        first.addAll(problems.subList(0, 1));
      }
    }
    System.out.println(bug + ": caught in " + caught + " of " + SEEDS + " runs");
    first.stream().limit(1).forEach(problem -> System.out.println("  " + problem));
    assertThat(first).as(bug).isNotEmpty();
  }

  private static List<String> problems(String bug, Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script =
        EventScript.of(
            ScriptOptions.of(seed).partitions(2).size(10, 25).ties(0.3).repeated(1, 5, 0));
    SimulatedTable table =
        new SimulatedTable(
            SimulatedTable.inMemory("bugs-" + bug.hashCode() + "-" + seed),
            script.log(),
            List.of("bucket(2, id)"));
    try {
      new SimulatedRun(table, parts, random, new SimulatedRun.Trouble(20, true, true)).run();
      return table.problems();
    } catch (Exception | AssertionError e) {
      return List.of("the run failed: " + e.getMessage());
    }
  }
}
