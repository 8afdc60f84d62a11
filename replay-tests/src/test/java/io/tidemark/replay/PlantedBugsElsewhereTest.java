package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import io.tidemark.job.TestCluster;
import io.tidemark.replay.PlantedBug.Tier;
import io.tidemark.replay.PlantedBug.Trial;
import io.tidemark.script.EventScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The planted bugs in tiers beside the one in which {@link PlantedBugsTest} kills each of them, as
 * {@link PlantedBug} lists them: in the pure one on every change, in all others by night.
 */
class PlantedBugsElsewhereTest {

  private static final int CASES = 10;

  @TempDir Path directory;

  /** A run of a tier. */
  private interface Run {
    List<String> found(PlantedBug bug, long seed) throws Exception;
  }

  private interface Server {
    SourceDatabase start(Path place) throws Exception;
  }

  static Set<PlantedBug> inThePureTier() {
    return PlantedBug.triedIn(Tier.PURE).keySet();
  }

  @ParameterizedTest
  @MethodSource
  void inThePureTier(PlantedBug bug) throws Exception {
    caught(Tier.PURE, Set.of(bug), Tier.PURE.runs(), (it, seed) -> pure(it.parts(), seed));
  }

  private static List<String> pure(Parts parts, long seed) {
    Random random = new Random(seed);
    EventScript script = EventScript.of(FoldReplayTest.options(seed, random));
    try {
      FoldCase.Prepared log = new FoldCase.Prepared(script.log(), parts);
      for (int i = 0; i < CASES; i++) {
        new FoldCase(log, random).read();
      }
      return List.of();
    } catch (AssertionError e) {
      return List.of(String.valueOf(e.getMessage()));
    }
  }

  @Test
  void byNightInTheEpochs() throws Exception {
    byNight(
        Tier.EPOCHS,
        Tier.EPOCHS.runs(),
        (bug, seed) -> {
          try (EpochRun run = new EpochRun("bug-" + bug, seed, bug.parts())) {
            return PlantedBugsTest.found(run::run, run::problems);
          }
        });
  }

  /** Each run is one recorded table; a round has all of them. */
  @Test
  void byNightInTheRecordings() throws Exception {
    List<CorpusTable> tables = CorpusOperatorTest.tables().toList();
    byNight(
        Tier.RECORDINGS,
        Tier.RECORDINGS.runs() * tables.size(),
        (bug, seed) -> {
          Random random = new Random(seed);
          CorpusTable recorded = tables.get((int) (seed % tables.size()));
          SimulatedTable table =
              CorpusOperatorTest.table("bug-" + bug + "-" + seed, recorded, random);
          List<String> found =
              PlantedBugsTest.found(
                  () -> CorpusOperatorTest.run(table, bug.parts(), random).run(),
                  () -> problems(recorded, table));
          SharedMemoryCatalog.forget(table.catalog().name());
          return found;
        });
  }

  /** What the log says, and what the database itself. */
  private static List<String> problems(CorpusTable recorded, SimulatedTable table) {
    List<String> problems = new ArrayList<>(table.problems());
    Set<String> cells = Truth.differences(recorded.load(), table.open());
    cells.removeAll(recorded.lost());
    cells.forEach(cell -> problems.add("the database: " + cell));
    return problems;
  }

  @Test
  void byNightInTheCluster() throws Exception {
    if (Tier.CLUSTER.runs() == 0) {
      return; // not on every change
    }
    try (TestCluster cluster =
        TestCluster.start(2, 4, directory.resolve("checkpoints"), Map.of())) {
      byNight(Tier.CLUSTER, Tier.CLUSTER.runs(), (bug, seed) -> inTheCluster(cluster, bug, seed));
    }
  }

  private List<String> inTheCluster(TestCluster cluster, PlantedBug bug, long seed)
      throws Exception {
    Path own = Files.createDirectories(directory.resolve(bug + "-" + seed));
    ClusterRun run = new ClusterRun(cluster, seed, own, null, bug.name(), bug.parts());
    try {
      run.run();
      return List.of();
    } catch (Exception | AssertionError e) {
      return List.of(ExceptionUtils.stringifyException(e) + run.everySnapshot());
    } finally {
      run.close();
      FileUtils.deleteDirectoryQuietly(own.toFile());
    }
  }

  @Test
  @Timeout(3600)
  void byNightOnPostgres() throws Exception {
    onADatabase(Tier.POSTGRES, PostgresSource::start);
  }

  @Test
  @Timeout(3600)
  void byNightOnMariaDb() throws Exception {
    onADatabase(
        Tier.MARIADB, place -> MariaDbSource.start(place, RealDatabaseTest.mariaDbClassPath()));
  }

  /** All bugs in each run, beside the right job. */
  private void onADatabase(Tier tier, Server server) throws Exception {
    long runs = tier.runs();
    if (runs == 0) {
      return; // not on every change
    }
    Map<PlantedBug, Trial> trials = PlantedBug.triedIn(tier);
    Map<PlantedBug, Long> caught = new EnumMap<>(PlantedBug.class);
    trials.keySet().forEach(bug -> caught.put(bug, 0L));
    long first = Runs.firstSeed();
    try (TestCluster cluster =
        TestCluster.start(1, 8, directory.resolve("checkpoints"), Map.of())) {
      for (long seed = first; seed < first + runs; seed++) {
        Path place = Files.createDirectories(directory.resolve(tier + "-" + seed));
        PlantedJobs planted = new PlantedJobs(cluster, place.resolve("planted"), trials);
        try (SourceDatabase source = server.start(place);
            DatabaseRun run = new DatabaseRun(source, new Random(seed), place, planted)) {
          run.run();
        }
        planted.caught().forEach(bug -> caught.merge(bug, 1L, Long::sum));
      }
    }
    tell(tier, runs, caught);
  }

  private static void byNight(Tier tier, long runs, Run run) throws Exception {
    caught(tier, PlantedBug.triedIn(tier).keySet(), runs, run);
  }

  /** Tries each bug from the same seeds. */
  private static void caught(Tier tier, Set<PlantedBug> bugs, long runs, Run run) throws Exception {
    if (runs == 0) {
      return; // not on every change
    }
    Map<PlantedBug, Long> caught = new EnumMap<>(PlantedBug.class);
    long first = Runs.firstSeed();
    for (PlantedBug bug : bugs) {
      Trial trial = PlantedBug.triedIn(tier).get(bug);
      long times = 0;
      for (long seed = first; seed < first + runs; seed++) {
        times += trial.sees(run.found(bug, seed)) ? 1 : 0;
      }
      caught.put(bug, times);
    }
    tell(tier, runs, caught);
  }

  /** Tells how often each was caught, and requires those that all runs together must show. */
  private static void tell(Tier tier, long runs, Map<PlantedBug, Long> caught) {
    List<PlantedBug> missed = new ArrayList<>();
    long first = Runs.firstSeed();
    caught.forEach(
        (bug, times) -> {
          Runs.note(
              "bug, %s: caught in %d of %d runs of tier %s, seeds %d to %d, commit %s"
                  .formatted(bug, times, runs, tier, first, first + runs - 1, GitCommit.current()));
          boolean required = PlantedBug.triedIn(tier).get(bug).required();
          if (required && times == 0 && tier.isEnough(runs)) {
            missed.add(bug);
          }
        });
    assertThat(missed)
        .as("required in tier %s, and caught in none of %d runs", tier, runs)
        .isEmpty();
  }
}
