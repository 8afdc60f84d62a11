package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import org.junit.jupiter.api.Test;

/**
 * A database that counts from a new start in the middle of a topic, with the same positions, names
 * of snapshots and keys as before: whatever happens before and after an epoch begins there, every
 * snapshot equals the log.
 */
class EpochReplayTest {

  private int withoutEpochs;

  @Test
  void everySnapshotEqualsTheLogAcrossAnEpoch() {
    Seed.upTo("EpochReplayTest", 6).forEach(this::run);
    // Without the epoch the same tables would be wrong.
    assertThat(withoutEpochs).isPositive();
  }

  private void run(long seed) {
    try (EpochRun run = new EpochRun("epochs", seed, Parts.REAL)) {
      try {
        run.run();
      } catch (Exception e) {
        throw new AssertionError("seed " + seed + ": " + run, e);
      }
      assertThat(run.problems()).as("seed %s: %s", seed, run).isEmpty();
      withoutEpochs += run.problemsWithoutEpochs().isEmpty() ? 0 : 1;
    }
  }
}
