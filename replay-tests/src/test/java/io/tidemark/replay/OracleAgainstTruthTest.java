package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.AvroLog;
import io.tidemark.oracle.Flattened;
import io.tidemark.oracle.LogFormat;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.OracleTable;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The oracle's own proof: it brings recordings of a real database to that database's rows. */
class OracleAgainstTruthTest {

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void foldOfARecordingIsTheDatabasesOwnAnswer(CorpusTable table) {
    assertThat(differences(table, table.load().events())).isEqualTo(table.lost());
  }

  /** The same workload in other formats, and what its source loses of it. */
  @ParameterizedTest
  @ValueSource(strings = {"pg-basic-avro", "pg-unwrap-rewrite", "pg-unwrap-default"})
  void foldOfAnotherFormatIsTheSame(String corpus) {
    Flattened unwrapped =
        new Flattened(corpus.endsWith("rewrite"), List.of(), "__", List.of(), "__");
    OracleOptions options =
        corpus.endsWith("avro")
            ? OracleOptions.DEFAULT.withFormat(
                new LogFormat(new AvroLog(Corpus.schemas(corpus), 4, "schema"), null))
            : OracleOptions.DEFAULT
                .withColumns(CorpusTable.BASIC.columns())
                .withScheme(corpus.endsWith("default") ? "kafka-offset" : "auto")
                .withFormat(new LogFormat(null, unwrapped));
    Corpus recording = Corpus.load(corpus, "shop.orders");
    RawLog log = RawLog.of(recording.events());

    assertThat(differences(recording, new Oracle(options, log, Offsets.NONE), log))
        .isEqualTo(CorpusTable.BASIC.lost());
  }

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void suffixesThatAreRepeatedAndACopyAfterwardsChangeNothing(CorpusTable table) {
    Random random = Seed.random("OracleAgainstTruthTest." + table, 1);

    assertThat(differences(table, Deliveries.ofAllKinds(table, random))).isEqualTo(table.lost());
  }

  private static java.util.Set<String> differences(CorpusTable table, List<RawEvent> events) {
    RawLog log = RawLog.of(events);
    return differences(table.load(), new Oracle(table.oracle(), log, Offsets.NONE), log);
  }

  private static java.util.Set<String> differences(Corpus recording, Oracle oracle, RawLog log) {
    OracleTable folded = oracle.fold(log.end());
    Map<String, Map<String, @Nullable Object>> rows = new TreeMap<>();
    folded
        .live()
        .forEach(
            (key, row) ->
                rows.put(Truth.keyName(recording.key(), key::get), Rows.plain(row.row())));
    return Truth.differences(recording, rows);
  }
}
