package io.tidemark.replay;

import io.tidemark.job.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real job on Flink and Kafka, while what can go wrong with either goes wrong. */
class ClusterReplayTest {

  @TempDir Path directory;

  @Test
  @Timeout(value = 12, unit = TimeUnit.HOURS) // a run of the night
  void everySnapshotEqualsTheLogWhateverHappens() throws Exception {
    try (TestCluster cluster =
        TestCluster.start(2, 4, directory.resolve("checkpoints"), Map.of())) {
      for (long seed : Seed.upTo("ClusterReplayTest", Long.getLong("runs", 3)).toArray()) {
        long t = System.nanoTime();
        Path own = Files.createDirectory(directory.resolve("seed-" + seed));
        try {
          ClusterRun.Result result = new ClusterRun(cluster, seed, own).run();
          System.out.println(
              "seed " + seed + ": " + (System.nanoTime() - t) / 1000000 + " ms; " + result);
        } catch (Exception | AssertionError e) {
          throw new AssertionError("-Dtidemark.seed=" + seed, e);
        }
      }
    }
  }
}
