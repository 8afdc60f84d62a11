package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.commit.Retention;
import io.tidemark.fault.Parts;
import io.tidemark.oracle.RawEvent;
import io.tidemark.replay.SimulatedJob.Saved;
import io.tidemark.replay.SimulatedJob.Shape;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A savepoint is restored with a partition that was added after it, days later, with the real
 * operators. The others may be read to their ends before it is: none of its changes is too old.
 */
class NewPartitionTest {
  private static final Map<Integer, Long> FIRST = Map.of(0, 0L);
  private static final Map<Integer, Long> FIRST_TWO = Map.of(0, 0L, 1, 0L);

  @Test
  void theHorizonWaitsForAPartitionThatIsNewerThanTheSavepoint() {
    Runs runs = Runs.of("forgetting", "NewPartitionTest");
    runs.forEach(1, 4, seed -> run(seed, runs));
  }

  /**
   * Of two old partitions the second is read after the savepoint only, of one nothing is: so no
   * horizon is older than the added partition, and the oracle can judge each that comes.
   */
  private static void run(long seed, Runs runs) throws Exception {
    String name = "new-partition-" + seed;
    Random random = new Random(seed);
    int added = 1 + random.nextInt(2);
    EventScript script = script(seed, random, added + 1);
    SimulatedTable table =
        new SimulatedTable(
            SimulatedTable.inMemory(name),
            script.log(),
            List.of(),
            new Retention(1 + random.nextInt(3)));
    SimulatedJob job =
        new SimulatedJob(
            table, Parts.REAL, shape(random), random, added == 1 ? FIRST : FIRST_TWO, null);
    job.read(0, added == 1 ? 0 : random.nextInt(10));
    int checkpoint = 1;
    Saved saved = commit(job, checkpoint);
    job.close();

    Map<Integer, Long> later = Map.of(added, 0L);
    job = new SimulatedJob(table, Parts.REAL, shape(random), random, later, saved);
    int sooner = random.nextInt(4); // in tens of the steps, the added one is read before its turn
    while (!job.isAtEnd()) {
      job.read(random.nextInt(10) < sooner ? added : next(table, job), 1 + random.nextInt(15));
      if (random.nextInt(3) == 0) {
        saved = commit(job, ++checkpoint);
      } else if (random.nextInt(10) == 0) {
        runs.fault("crash", 1);
        job.close();
        job = new SimulatedJob(table, Parts.REAL, shape(random), random, later, saved);
      }
    }
    commit(job, ++checkpoint);
    job.close();

    assertThat(table.putAside()).as("too old, %s", script).isZero();
    assertThat(table.problems()).as("%s", script).isEmpty();
    runs.count("rows compared", table.report().rows());
    runs.count("tombstones dropped", table.droppedTombstones());
    SharedMemoryCatalog.forget(name);
  }

  /** The first from the seed on that has records in each partition: few keys may leave one out. */
  private static EventScript script(long seed, Random random, int partitions) {
    EventScript script = EventScript.of(options(seed, random).partitions(partitions));
    while (script.events().stream().mapToInt(RawEvent::partition).distinct().count() < partitions) {
      script = EventScript.of(options(random.nextLong(), random).partitions(partitions));
    }
    return script;
  }

  /** Nothing comes late or twice: whatever were put aside would be of the added partition. */
  private static ScriptOptions options(long seed, Random random) {
    return ScriptOptions.of(seed).size(0, 25).repeated(0, 0, 0).hoursApart(8 + random.nextInt(60));
  }

  /** The first partition that is not read to its end; the added one is the last. */
  private static int next(SimulatedTable table, SimulatedJob job) {
    return job.next().entrySet().stream()
        .filter(p -> p.getValue() < table.partitions().get(p.getKey()).size())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  private static Saved commit(SimulatedJob job, long checkpoint) throws Exception {
    Saved saved = Objects.requireNonNull(job.checkpoint(checkpoint, false));
    job.complete(checkpoint);
    return saved;
  }

  private static Shape shape(Random random) {
    return new Shape(1 + random.nextInt(3), 1 + random.nextInt(3), 1 << 20, 0);
  }
}
