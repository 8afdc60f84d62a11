package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import io.tidemark.job.TestCluster;
import io.tidemark.script.EventScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The planted bugs in tiers beside the one in which {@link PlantedBugsTest} kills each of them: in
 * the pure one on every change, in the cluster by night. What a tier cannot see is not here;
 * docs/testing.md says why.
 */
class PlantedBugsElsewhereTest {

  private static final int CASES = 10;

  /** How many of the night's runs of a bug go to the cluster, where one takes a quarter minute. */
  private static final double CLUSTER_SHARE = 0.04;

  @TempDir Path directory;

  /** Bugs before the gate, and what the model of a table says of them. */
  enum InThePureTier {
    LSN_ALONE(Plants.LSN_ALONE, "I1, I2: expected .*, is"),
    ROW_LEVEL_FOLD(Plants.ROW_LEVEL_FOLD, "I1, I2: expected .*, is"),
    STRICTLY_GREATER(Plants.STRICTLY_GREATER, "I1, I2: .* is too much"),
    DELETES_FIRST(Plants.DELETES_FIRST, "I1, I2: missing"),
    NULL_IS_A_DELETE(Plants.NULL_IS_A_DELETE, "The oracle has no change where the decoder has one");

    private final Parts parts;
    private final Pattern says;

    InThePureTier(Parts parts, String says) {
      this.parts = parts;
      this.says = Pattern.compile("(?s)" + says + ".*");
    }
  }

  /**
   * Bugs that can be planted into the real job, and what the check of its table says. Of the last
   * ones it is only counted how often they are caught: they need a start without state at the right
   * time, a table that is partitioned by region, or a commit of several batches.
   */
  enum InTheCluster {
    LSN_ALONE(Plants.LSN_ALONE, "I[24] ", true),
    FORGOTTEN_TOMBSTONE(Plants.FORGOTTEN_TOMBSTONE, "I5 .*no tombstone for", true),
    ELIDED_DELETE(Plants.ELIDED_DELETE, "I3 .* live rows", true),
    FILES_LEFT(Plants.FILES_LEFT, "I10: .* left behind", true),
    NULL_IS_A_DELETE(Plants.NULL_IS_A_DELETE, "I2 .*: missing .*, expected", false),
    CHECKPOINT_AS_IDENTITY(Plants.CHECKPOINT_AS_IDENTITY, "I2 .*: missing .*, expected", false),
    OLD_PARTITION_IGNORED(Plants.OLD_PARTITION_IGNORED, "I3 .* live rows", false),
    MERGED_BATCHES(Plants.MERGED_BATCHES, "I3 .* live rows", false),
    ABORTED_WITH_RECORD(Plants.ABORTED_WITH_RECORD, "I2 .*: missing .*, expected", false);

    private final Parts parts;
    private final Pattern says;
    private final boolean surely;

    InTheCluster(Parts parts, String says, boolean surely) {
      this.parts = parts;
      this.says = Pattern.compile("(?s).*" + says + ".*");
      this.surely = surely;
    }
  }

  @ParameterizedTest
  @EnumSource
  void isCaughtInThePureTier(InThePureTier bug) {
    long runs = Math.max(40, Runs.count("bugs"));
    long first = Runs.firstSeed();
    long caught = 0;
    for (long seed = first; seed < first + runs; seed++) {
      String found = pure(bug.parts, seed);
      caught += found != null && bug.says.matcher(found).matches() ? 1 : 0;
    }
    Runs.note(
        "bug, %s: caught in %d of %d logs of the pure tier, seeds %d to %d, commit %s"
            .formatted(bug, caught, runs, first, first + runs - 1, GitCommit.current()));
    assertThat(caught).as("logs that show %s", bug).isPositive();
  }

  private static @Nullable String pure(Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script = EventScript.of(FoldReplayTest.options(seed, random));
    try {
      FoldCase.Prepared log = new FoldCase.Prepared(script.log(), parts);
      for (int i = 0; i < CASES; i++) {
        new FoldCase(log, random).read();
      }
      return null;
    } catch (AssertionError e) {
      return e.getMessage();
    }
  }

  @Test
  void byNightTheClusterCatchesThem() throws Exception {
    long runs = Math.round((Runs.count("bugs") - 1) * CLUSTER_SHARE);
    if (runs == 0) {
      return; // not on every change
    }
    long first = Runs.firstSeed();
    try (TestCluster cluster =
        TestCluster.start(2, 4, directory.resolve("checkpoints"), Map.of())) {
      for (InTheCluster bug : InTheCluster.values()) {
        long caught = 0;
        for (long seed = first; seed < first + runs; seed++) {
          String found = inTheCluster(cluster, bug, seed);
          caught += found != null && bug.says.matcher(found).matches() ? 1 : 0;
        }
        Runs.note(
            "bug, %s: caught in %d of %d runs of the cluster, seeds %d to %d, commit %s"
                .formatted(bug, caught, runs, first, first + runs - 1, GitCommit.current()));
        if (bug.surely) {
          assertThat(caught).as("runs that show %s", bug).isPositive();
        }
      }
    }
  }

  private @Nullable String inTheCluster(TestCluster cluster, InTheCluster bug, long seed)
      throws Exception {
    Path own = Files.createDirectories(directory.resolve(bug + "-" + seed));
    ClusterRun run = new ClusterRun(cluster, seed, own, null, bug.name(), bug.parts);
    try {
      run.run();
      return null;
    } catch (Exception | AssertionError e) {
      return ExceptionUtils.stringifyException(e) + run.everySnapshot();
    } finally {
      run.close();
      FileUtils.deleteDirectoryQuietly(own.toFile());
    }
  }
}
