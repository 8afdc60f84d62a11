package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.fault.Parts;
import io.tidemark.oracle.RawEvent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recordings through the real operators on Iceberg's catalog in memory, with everything that {@link
 * SimulatedRun} lets go wrong: partitions interleaved at random, state that is lost in the middle,
 * and starts from the record or from below it. Every snapshot is what the oracle makes of the log
 * up to the recorded offsets; what the oracle makes of the whole log is the database's own answer
 * but for what the source loses, which {@link OracleAgainstTruthTest} holds too.
 */
class CorpusOperatorTest {

  /** Recorded tables that no operator reads, and where they are read instead. */
  private static final Map<String, String> ELSEWHERE =
      Map.ofEntries(
          Map.entry("pg-keys k.nopk", "no key: refused, RecordingsTest"),
          Map.entry("pg-keys k.nopk_full", "no key: refused, RecordingsTest"),
          Map.entry("pg-keys k.dbl", "a key of Iceberg may not be a double: RecordingsTest"),
          Map.entry("pg-truncate tr.parent", "a truncate stops a job: FoldReplayTest has them"),
          Map.entry("pg-truncate tr.child", "a truncate stops a job: FoldReplayTest has them"),
          Map.entry("pg-truncate tr.solo", "a truncate stops a job: FoldReplayTest has them"),
          Map.entry("pg-basic shop.orders", "pg-basic-schemas without schemas: CorpusTest"),
          Map.entry("pg-basic-keepnull shop.orders", "the same with its nulls: CorpusTest"),
          Map.entry("pg-basic-avro shop.orders", "pg-basic in Avro: JobOnFormatsTest, CorpusTest"),
          Map.entry("pg-unwrap-default shop.orders", "flattened: JobOnFormatsTest, CorpusTest"),
          Map.entry("pg-unwrap-rewrite shop.orders", "flattened: JobOnFormatsTest, CorpusTest"),
          Map.entry("pg-types ty.all_types", "pg-types-schemas without schemas: CorpusTest"),
          Map.entry("pg-types-connect ty.all_types", "another decoding: RecordingsTest"),
          Map.entry("pg-types-decstring ty.all_types", "another decoding: RecordingsTest"),
          Map.entry("pg-types-decstring ty.nan_numeric", "another decoding: RecordingsTest"),
          Map.entry("pg-incremental-snapshot inv.dbz_signal", "inserts alone: RecordingsTest"));

  @Test
  void everyRecordedTableIsReadHereOrNamedWithTheReason() {
    Set<String> read = new TreeSet<>(ELSEWHERE.keySet());
    assertThat(tables().map(CorpusTable::place))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(read);
    tables().map(CorpusTable::place).forEach(read::add);
    assertThat(read).isEqualTo(Corpus.recorded());
  }

  static Stream<CorpusTable> tables() {
    return Arrays.stream(CorpusTable.values())
        .filter(recorded -> !ELSEWHERE.containsKey(recorded.place()));
  }

  /** Suffixes sent again on the way, and all once more at the end. */
  @ParameterizedTest
  @MethodSource("tables")
  void endsAsTheDatabaseWhateverIsRepeatedAndLostOnTheWay(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusOperatorTest." + recorded, 1);
    SimulatedTable table = table("corpus", recorded, random);

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
      names = {"TOAST", "ITEMS", "TWICE"})
  void isTheFoldOfWhatIsLeftOfALogWithoutItsBeginning(CorpusTable recorded) throws Exception {
    Random random = Seed.random("CorpusOperatorTest.middle." + recorded, 1);
    List<RawEvent> events = recorded.load().events();
    Map<Integer, Long> origin = new TreeMap<>();
    events.forEach(e -> origin.merge(e.partition(), e.offset() + 1, Math::max));
    origin.replaceAll((partition, size) -> (long) (random.nextDouble() * size));

    run(
        recorded,
        SimulatedTable.recorded(
            SimulatedTable.inMemory("corpus-" + recorded + "-middle"), recorded, events, origin),
        random);
  }

  /** A table of what comes again in all ways. */
  static SimulatedTable table(String name, CorpusTable recorded, Random random) {
    return SimulatedTable.recorded(
        SimulatedTable.inMemory(name + "-" + recorded),
        recorded,
        Deliveries.ofAllKinds(recorded, random),
        Map.of());
  }

  static SimulatedRun run(SimulatedTable table, Parts parts, Random random) throws Exception {
    int records = table.partitions().values().stream().mapToInt(List::size).sum();
    return new SimulatedRun(table, parts, random, SimulatedRun.Trouble.over(records));
  }

  private static void run(CorpusTable recorded, SimulatedTable table, Random random)
      throws Exception {
    SimulatedRun run = run(table, Parts.REAL, random);
    List<String> story = run.run();
    assertThat(table.problems()).as("%s", story).isEmpty();
    assertThat(run.troubles()).containsKey("state lost");
    System.out.println(recorded + ": " + table.report() + ", " + run.troubles());
    SharedMemoryCatalog.forget(table.catalog().name());
  }
}
