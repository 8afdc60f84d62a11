package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleTable;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oracle's own proof: it brings recordings of a real database to that database's rows. */
class OracleAgainstTruthTest {

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void foldOfARecordingIsTheDatabasesOwnAnswer(CorpusTable table) {
    assertThat(differences(table, table.load().events())).isEqualTo(table.lost());
  }

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void aShuffledCopyAfterwardsChangesNothing(CorpusTable table) {
    Random random = Seed.random("OracleAgainstTruthTest." + table, 1);
    List<RawEvent> events = new ArrayList<>(table.load().events());
    List<RawEvent> copy = new ArrayList<>(events);
    Collections.shuffle(copy, random);
    Map<Integer, Long> ends = new HashMap<>();
    events.forEach(event -> ends.merge(event.partition(), event.offset() + 1, Math::max));
    copy.forEach(
        event ->
            events.add(
                event.at(event.partition(), ends.merge(event.partition(), 1L, Long::sum) - 1)));

    assertThat(differences(table, events)).isEqualTo(table.lost());
  }

  private static java.util.Set<String> differences(CorpusTable table, List<RawEvent> events) {
    RawLog log = RawLog.of(events);
    OracleTable folded = new Oracle(table.oracle(), log, Offsets.NONE).fold(log.end());
    Map<String, Map<String, @Nullable Object>> rows = new TreeMap<>();
    folded.live().forEach((key, row) -> rows.put(key.get("id").toString(), Rows.plain(row.row())));
    return Truth.differences(table.load(), rows);
  }
}
