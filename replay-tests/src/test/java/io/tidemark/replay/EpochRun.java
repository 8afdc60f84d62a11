package io.tidemark.replay;

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

/**
 * One run through the simulated operators of a log that starts over in the middle, drawn from a
 * seed: whatever happens before and after an epoch begins there, and a job from before it that
 * wakes up.
 */
final class EpochRun implements AutoCloseable {

  private final Parts parts;
  private final Random random;
  private final EventScript second;
  private final SimulatedTable table;
  private final List<String> story = new ArrayList<>();
  private Epochs epochs = Epochs.NONE;

  /**
   * Makes the table.
   *
   * @param name of the run, and with the seed its catalog's
   */
  EpochRun(String name, long seed, Parts parts) {
    this.parts = parts;
    random = new Random(seed);
    int partitions = 1 + random.nextInt(3);
    EventScript first = script(seed, partitions, random);
    second = script(seed + 1_000_000, partitions, random);
    table =
        new SimulatedTable(
            SimulatedTable.inMemory(name + "-" + seed), first.log(), List.of("bucket(2, id)"));
  }

  /** Runs to the end of both logs. */
  List<String> run() throws Exception {
    simulate();
    SimulatedJob old = old();

    TreeMap<Integer, Long> ends = new TreeMap<>();
    table.partitions().forEach((p, records) -> ends.put(p, (long) records.size()));
    table.goesOnWith(behind(ends, second.log()), new NewEpoch.Request(table.topic(), ends, false));
    epochs = begun(table.topic(), ends);
    story.add("epoch from " + ends);
    assertThatThrownBy(() -> old.complete(1))
        .rootCause()
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("The table is ahead of this job")
        .hasMessageContaining("by incarnation epoch --begin ");
    old.close();

    simulate();
    return story;
  }

  /** What is wrong with the table; empty if nothing is. */
  List<String> problems() {
    return table.problems(epochs);
  }

  /** What would be wrong with it if no epoch had begun. */
  List<String> problemsWithoutEpochs() {
    return table.problems();
  }

  @Override
  public void close() {
    SharedMemoryCatalog.forget(table.catalog().name());
  }

  /** What happened on the way. */
  @Override
  public String toString() {
    return String.join("; ", story);
  }

  private void simulate() throws Exception {
    story.addAll(new SimulatedRun(table, parts, random, SimulatedRun.Trouble.ALL).run());
  }

  /** A job that has read the whole log again, and closed a checkpoint that nobody told it of. */
  private SimulatedJob old() throws Exception {
    Map<Integer, Long> zero = new TreeMap<>();
    table.partitions().keySet().forEach(p -> zero.put(p, 0L));
    SimulatedJob job =
        new SimulatedJob(table, parts, new Shape(1, 1, 1 << 20, 0), random, zero, null);
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
