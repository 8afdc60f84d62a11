package io.tidemark.replay;

import io.tidemark.job.TestCluster;
import io.tidemark.processes.CatalogServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real job on Flink and Kafka, while what can go wrong with either goes wrong. */
class ClusterReplayTest {

  @TempDir Path directory;

  @Test
  @Timeout(value = 12, unit = TimeUnit.HOURS) // a run of the night
  void everySnapshotEqualsTheLogWhateverHappens() throws Exception {
    try (TestCluster cluster = TestCluster.start(2, 4, directory.resolve("checkpoints"), Map.of());
        CatalogServer catalog = CatalogServer.start(directory.resolve("catalog"))) {
      catalog.awaitReady();
      Runs runs = Runs.of("cluster", "ClusterReplayTest");
      runs.forEach(
          seed -> {
            Path own = Files.createDirectory(directory.resolve("seed-" + seed));
            ClusterRun run = new ClusterRun(cluster, seed, own, seed % 2 == 0 ? catalog : null);
            ClusterRun.Result result;
            try {
              result = run.run();
            } catch (Exception | AssertionError e) {
              throw new AssertionError(e.getMessage() + "; " + run, e);
            } finally {
              run.close();
            }
            System.out.println("seed " + seed + ": " + result + "; " + run);
            result.troubles().forEach((kind, times) -> runs.fault(kind, times));
            runs.count("keys", result.keys());
            runs.count("snapshots checked", result.table().snapshots());
            runs.count("rows compared", result.table().rows());
            runs.count("files left behind", result.files().left());
            FileUtils.deleteDirectoryQuietly(own.toFile());
          });
    }
  }
}
