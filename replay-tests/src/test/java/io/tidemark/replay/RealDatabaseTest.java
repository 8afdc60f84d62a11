package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real databases and real connectors: the table is {@code SELECT *} at every rest. {@code
 * -Dtidemark.runs.databases=20} makes more runs.
 */
@Timeout(3600)
class RealDatabaseTest {

  @TempDir Path dir;

  @Test
  void postgres() {
    Runs runs = Runs.of("databases", "RealDatabaseTest#postgres");
    runs.forEach(
        seed -> {
          Path place = Files.createDirectories(dir.resolve("run-" + seed));
          try (PostgresSource source = PostgresSource.start(place)) {
            run(runs, source, 7, new Random(seed), place);
          }
        });
  }

  @Test
  void mariaDb() {
    Path classPath = mariaDbClassPath();
    Runs runs = Runs.of("databases", "RealDatabaseTest#mariaDb");
    runs.forEach(
        seed -> {
          Path place = Files.createDirectories(dir.resolve("run-" + seed));
          try (MariaDbSource source = MariaDbSource.start(place, classPath)) {
            run(runs, source, 5, new Random(seed), place);
          }
        });
  }

  /**
   * The file that names MariaDB's jars; without it, or where they do not run, the test is skipped.
   */
  static Path mariaDbClassPath() {
    Path classPath =
        Path.of(System.getProperty("tidemark.mariadb.classpath", "target/mariadb.classpath"));
    Assumptions.assumeTrue(
        Files.exists(classPath), "MariaDB is only gathered by a whole build: no " + classPath);
    String platform = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    Assumptions.assumeTrue(
        platform.equals("Linux amd64"), "Maven Central has MariaDB for Linux on amd64 alone");
    return classPath;
  }

  private static void run(Runs runs, SourceDatabase source, int rests, Random random, Path place)
      throws Exception {
    try (DatabaseRun run = new DatabaseRun(source, random, place, (when, database, job) -> {})) {
      run.run();
      assertThat(run.rests()).isEqualTo(rests);
      Map<String, Long> facts = run.facts();
      facts.forEach(runs::count);
      assertThat(source.contained())
          .as("%s", facts)
          .allMatch(kind -> facts.getOrDefault(kind, 0L) > 0);
    }
  }
}
