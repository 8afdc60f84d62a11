package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.NewEpoch;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.RawLog;
import io.tidemark.replay.SimulatedJob.Shape;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
    Random random = new Random(seed);
    int partitions = 1 + random.nextInt(3);
    EventScript first = script(seed, partitions, random);
    EventScript second = script(seed + 1_000_000, partitions, random);
    List<String> story = new ArrayList<>();
    SimulatedTable table =
        new SimulatedTable(
            SimulatedTable.inMemory("epochs-" + seed), first.log(), List.of("bucket(2, id)"));
    try {
      story.addAll(simulate(table, random));
      SimulatedJob old = old(table, random);

      TreeMap<Integer, Long> ends = new TreeMap<>();
      table.partitions().forEach((p, records) -> ends.put(p, (long) records.size()));
      table.goesOnWith(
          behind(ends, second.log()), new NewEpoch.Request(table.topic(), ends, false));
      assertThatThrownBy(() -> old.complete(1))
          .rootCause()
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("The table is ahead of this job")
          .hasMessageContaining("by incarnation epoch --begin ");
      old.close();

      story.add("epoch from " + ends);
      story.addAll(simulate(table, random));
      Epochs epochs = begun(table.topic(), ends);
      assertThat(table.problems(epochs)).as("seed %s: %s", seed, story).isEmpty();
      withoutEpochs += table.problems().isEmpty() ? 0 : 1;
    } catch (Exception e) {
      throw new AssertionError("seed " + seed + ": " + story, e);
    }
  }

  private static List<String> simulate(SimulatedTable table, Random random) throws Exception {
    return new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.ALL).run();
  }

  /** A job that has read the whole log again, and closed a checkpoint that nobody told it of. */
  private static SimulatedJob old(SimulatedTable table, Random random) throws Exception {
    Map<Integer, Long> zero = new TreeMap<>();
    table.partitions().keySet().forEach(p -> zero.put(p, 0L));
    SimulatedJob job =
        new SimulatedJob(table, Parts.REAL, new Shape(1, 1, 1 << 20, 0), random, zero, null);
    for (int p : table.partitions().keySet()) {
      job.read(p, Integer.MAX_VALUE >> 1);
    }
    job.checkpoint(1, false);
    return job;
  }

  private static RawLog behind(Map<Integer, Long> ends, RawLog log) {
    return RawLog.of(
        log.events().stream()
            .map(e -> e.at(e.partition(), e.offset() + ends.getOrDefault(e.partition(), 0L)))
            .toList());
  }

  private static Epochs begun(String topic, Map<Integer, Long> starts) {
    Map<String, TreeMap<Long, Integer>> numbers = new TreeMap<>();
    starts.forEach((p, from) -> numbers.put(topic + "-" + p, new TreeMap<>(Map.of(from, 1))));
    return new Epochs(numbers);
  }

  private static EventScript script(long seed, int partitions, Random random) {
    return EventScript.of(
        ScriptOptions.of(seed)
            .partitions(partitions)
            .size(3 + random.nextInt(6), 8 + random.nextInt(8))
            .resnapshots(random.nextInt(2))
            .ties(random.nextInt(3) * 0.15)
            .repeated(random.nextInt(3), random.nextInt(8), random.nextInt(6) == 0 ? 1 : 0));
  }
}
