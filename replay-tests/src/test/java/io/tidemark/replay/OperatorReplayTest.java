package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Gap;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.Retention;
import io.tidemark.fault.Parts;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.Gaps;
import io.tidemark.oracle.Place;
import io.tidemark.oracle.TableRecord;
import io.tidemark.oracle.TableReport;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Random;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real operators on a real catalog, moved by hand: whatever happens to checkpoints, jobs and
 * their state, every snapshot equals the log.
 */
class OperatorReplayTest {

  /** Iceberg waits as often as it computes. */
  private static final int THREADS = 4;

  private static final List<List<String>> PARTITIONINGS =
      List.of(
          List.of(),
          List.of("region"),
          List.of("bucket(2, id)"),
          List.of("region", "bucket(2, id)"));

  @Test
  void everySnapshotEqualsTheLogWhateverHappens() {
    Runs runs = Runs.of("operators", "OperatorReplayTest");
    runs.forEach(1, THREADS, seed -> run(seed, runs));
  }

  /**
   * Two snapshots with nothing in between: the same rows at one position, at two times. And a job
   * that looked for a row that an old job had just replaced, and then could not be restored.
   */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1000077, 2000114, 2000142, 20000193})
  void seedsThatFailedOnceStayRight(long seed) throws Exception {
    run(seed, Runs.of("operators", "OperatorReplayTest"));
  }

  private static void run(long seed, Runs runs) throws Exception {
    Random random = new Random(seed);
    EventScript script = EventScript.of(options(seed, random));
    SimulatedTable table =
        new SimulatedTable(
            SimulatedTable.inMemory("operators-" + seed),
            script.log(),
            PARTITIONINGS.get(random.nextInt(PARTITIONINGS.size())));
    SimulatedRun run = new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.ALL);
    List<String> story = run(run);
    run.troubles().forEach(runs::fault);
    assertThat(table.problems()).as("%s, %s", script, story).isEmpty();
    TableReport report = table.report();
    for (Snapshot snapshot : table.open().snapshots()) {
      // TableCheck compares the rows that a record counts, and believes that it may not count them.
      if (RecordCodec.isRecord(snapshot.summary())) {
        assertThat(snapshot.summary()).containsKeys("tidemark.rows", "tidemark.rows-digest");
      }
    }
    runs.count("keys", table.keys());
    runs.count("snapshots checked", report.snapshots());
    runs.count("rows compared", report.rows());
    SharedMemoryCatalog.forget("operators-" + seed);
  }

  /**
   * Somebody accepts gaps over records that Kafka still has, and replays go below them: the table
   * stays the fold of the log without them.
   */
  @Test
  void acceptedGapsStayLeftOutWhateverHappens() {
    Runs runs = Runs.of("gaps", "OperatorReplayTest");
    runs.forEach(1, THREADS, seed -> runWithGaps(seed, runs));
  }

  private static void runWithGaps(long seed, Runs runs) throws Exception {
    Random random = new Random(seed);
    ScriptOptions options = options(seed, random).resnapshots(1 + random.nextInt(2));
    if (options.unsent().share() > 0) {
      // As in the pure tier: a replay from below may show a tied value of a column that was left
      // out, until the next copy is read (docs/testing.md). Seed 41001181 did.
      options = options.ties(0);
    }
    EventScript script = EventScript.of(options);
    SimulatedTable table =
        new SimulatedTable(SimulatedTable.inMemory("gaps-" + seed), script.log(), List.of());
    SimulatedRun run = new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.withGaps());
    List<String> story = run(run);
    run.troubles().forEach(runs::fault);
    // Whose job died before its first commit was none; no other may be in the record.
    Gaps gaps = TableRecord.of(table.open(), null).gaps();
    long leftOut =
        script.log().events().stream()
            .map(Place::of)
            .filter(gaps::has)
            .peek(place -> assertThat(run.everAccepted()).anyMatch(gap -> isIn(gap, place)))
            .count();
    assertThat(table.problems(Epochs.NONE, gaps)).as("%s, %s", script, story).isEmpty();
    runs.count("records left out", leftOut);
    runs.count("rows compared", table.report().rows());
    SharedMemoryCatalog.forget("gaps-" + seed);
  }

  private static boolean isIn(Gap gap, Place place) {
    return gap.partition().equals(new TopicPartition(place.topic(), place.partition()))
        && gap.from() <= place.offset()
        && place.offset() <= gap.to();
  }

  /**
   * Days pass in the log, and deleted keys are forgotten after one to three of them. What comes
   * late for those is put aside, and that is all that is lost.
   */
  @Test
  void forgottenKeysStayDeadWhateverHappens() {
    Runs runs = Runs.of("forgetting", "OperatorReplayTest");
    runs.forEach(
        1,
        THREADS,
        seed -> {
          Random random = new Random(seed);
          EventScript script = EventScript.of(forgettingOptions(seed, random));
          SimulatedTable table = forgettingTable("forgetting-" + seed, script, random);
          SimulatedRun run = new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.ALL);
          List<String> story = run(run);
          run.troubles().forEach(runs::fault);
          assertThat(table.problems()).as("%s, %s", script, story).isEmpty();
          runs.count("late changes put aside", table.putAside());
          runs.count("tombstones dropped", table.droppedTombstones());
          SharedMemoryCatalog.forget("forgetting-" + seed);
        });
  }

  /**
   * The same with replays that take unknown keys for new ones, killed on the way like all others.
   * They show rows of forgotten keys, so only where all ends is looked at.
   */
  @Test
  void acceptedReplaysEndInWhatTheLogSaysWhereverTheyAreKilled() {
    Runs runs = Runs.of("accepted", "OperatorReplayTest");
    runs.forEach(
        1,
        THREADS,
        seed -> {
          Random random = new Random(seed);
          EventScript script = EventScript.of(forgettingOptions(seed, random));
          SimulatedTable table = forgettingTable("accepted-" + seed, script, random);
          SimulatedRun run =
              new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.accepting(25));
          List<String> story = run(run);
          run.troubles().forEach(runs::fault);
          assertThat(table.isReplayed()).as("%s, %s", script, story).isFalse();
          assertThat(table.problemsAtTheEnd()).as("%s, %s", script, story).isEmpty();
          SharedMemoryCatalog.forget("accepted-" + seed);
        });
  }

  /** Ties do not go with it: of two changes at one position the later copy stands. */
  static ScriptOptions forgettingOptions(long seed, Random random) {
    return ScriptOptions.of(seed)
        .partitions(1 + random.nextInt(3))
        .size(3 + random.nextInt(6), 12 + random.nextInt(12))
        .resnapshots(random.nextInt(2))
        .repeated(random.nextInt(3), random.nextInt(20), random.nextInt(3) == 0 ? 1 : 0)
        .hoursApart(8 + random.nextInt(60))
        .unsent(random.nextInt(3) * 0.35, random.nextBoolean());
  }

  static SimulatedTable forgettingTable(String name, EventScript script, Random random) {
    return new SimulatedTable(
        SimulatedTable.inMemory(name),
        script.log(),
        PARTITIONINGS.get(random.nextInt(PARTITIONINGS.size())),
        new Retention(1 + random.nextInt(3)));
  }

  private static List<String> run(SimulatedRun run) {
    try {
      return run.run();
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
        .connectorAheadHours((int) (seed % 5 - 2) * 7)
        .repeated(random.nextInt(3), random.nextInt(8), random.nextInt(6) == 0 ? 1 : 0)
        .unsent(random.nextInt(3) * 0.35, random.nextBoolean());
  }
}
