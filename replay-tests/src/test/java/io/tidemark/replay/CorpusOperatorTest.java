package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Recordings through the real operators on Iceberg's catalog in memory, with everything that {@link
 * SimulatedRun} lets go wrong: state that is lost in the middle, and starts from the record or from
 * below it. Every snapshot is what the oracle makes of the log up to the recorded offsets. Tables
 * whose events are of no other kinds are {@link CorpusReplayTest}'s.
 */
class CorpusOperatorTest {

  @ParameterizedTest
  @EnumSource(
      value = CorpusTable.class,
      names = {"TOAST", "TOAST_FULL", "ACCOUNTS", "TWICE"})
  void endsAsTheDatabaseWhateverIsLostOnTheWay(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusOperatorTest." + recorded, 1);
    SimulatedTable table = table(recorded, Map.of());

    run(recorded, table, random);

    assertThat(Truth.differences(recorded.load(), table.open())).isEqualTo(recorded.lost());
  }

  /**
   * The table is begun where the log has lost its beginning: it is the fold of what is left. Of a
   * row with columns that were left out and told before, it is the nulls that the oracle has too.
   */
  @ParameterizedTest
  @EnumSource(
      value = CorpusTable.class,
      names = {"TOAST", "TOAST_FULL", "ACCOUNTS", "ITEMS", "TWICE"})
  void isTheFoldOfWhatIsLeftOfALogWithoutItsBeginning(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusOperatorTest.middle." + recorded, 1);
    Map<Integer, Long> origin = new TreeMap<>();
    recorded.load().events().forEach(e -> origin.merge(e.partition(), e.offset() + 1, Math::max));
    origin.replaceAll((partition, size) -> (long) (random.nextDouble() * size));

    run(recorded, table(recorded, origin), random);
  }

  private static SimulatedTable table(CorpusTable recorded, Map<Integer, Long> origin) {
    String name = "corpus-" + recorded + (origin.isEmpty() ? "" : "-middle");
    return SimulatedTable.recorded(SimulatedTable.inMemory(name), recorded, origin);
  }

  private static void run(CorpusTable recorded, SimulatedTable table, Random random)
      throws Exception {
    int records = recorded.load().events().size();
    SimulatedRun run =
        new SimulatedRun(table, Parts.REAL, random, SimulatedRun.Trouble.over(records));
    List<String> story = run.run();
    assertThat(table.problems()).as("%s", story).isEmpty();
    assertThat(run.troubles()).containsKey("state lost");
    System.out.println(recorded + ": " + table.report() + ", " + run.troubles());
    SharedMemoryCatalog.forget(table.catalog().name());
  }
}
