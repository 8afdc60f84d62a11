package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.replay.Fields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule, case by case, on raw records. */
class OracleTest {

  private final List<RawEvent> events = new ArrayList<>();
  private final OracleOptions options =
      OracleOptions.DEFAULT.withColumns(Fields.of("id int32", "v int32"));

  @Test
  void theHigherPositionStandsWhateverComesLast() {
    event("u", "false", "\"100\"", 120, 2);
    event("u", "false", "\"50\"", 60, 1);

    assertThat(value()).isEqualTo(2);
  }

  @Test
  void previousCommitDecidesBeforeTheOwnPosition() {
    event("u", "false", "\"100\"", 120, 1);
    event("u", "false", "\"130\"", 90, 2);

    assertThat(value()).isEqualTo(2);
    assertThat(version()).isEqualTo(new OracleVersion(0, 130, 90, 0, 0, 1));
  }

  /** Without the operation, which no other log of a test lacks, the field alone tells a delete. */
  @Test
  void aRewrittenDeleteIsToldByItsField() {
    Flattened rewritten = new Flattened(true, List.of(), "__", List.of(), "__");
    ChangeReader reader =
        new ChangeReader(
            options.withScheme("kafka-offset").withFormat(new LogFormat(null, rewritten)));
    for (boolean deleted : new boolean[] {false, true}) {
      String row = "{\"id\":1,\"v\":2,\"__deleted\":\"" + deleted + "\"}";
      OracleChange change =
          reader.read(
              new RawEvent(
                  "t",
                  0,
                  0,
                  "{\"id\":1}".getBytes(StandardCharsets.UTF_8),
                  row.getBytes(StandardCharsets.UTF_8),
                  Map.of()));
      assertThat(change).isNotNull();
      assertThat(change.row()).isEqualTo(deleted ? null : Map.of("id", 1, "v", 2));
    }
  }

  /** Some connectors write no placeholder, so that a text like it is the user's. */
  @Test
  void aPlaceholderIsOneWhereTheConnectorWritesIt() {
    Map<String, Boolean> own =
        Map.of(
            "\"connector\":\"mysql\",\"version\":\"3.6.1.Final\"", true,
            "\"connector\":\"mariadb\",\"version\":\"3.7.0.Alpha2\"", false,
            "\"connector\":\"mysql\"", false,
            "\"connector\":\"vitess\",\"version\":\"3.6.1.Final\"", true,
            "\"connector\":\"vitess\"", false,
            "\"connector\":\"sqlserver\",\"version\":\"3.6.1.Final\"", false);
    ChangeReader reader =
        new ChangeReader(
            OracleOptions.DEFAULT
                .withColumns(Fields.of("id int32", "v string"))
                .withScheme("kafka-offset"));
    own.forEach(
        (source, isOwn) -> {
          String row =
              "{\"op\":\"u\",\"after\":{\"id\":1,\"v\":\"__debezium_unavailable_value\"},\"source\":{"
                  + source
                  + "}}";
          OracleChange change =
              reader.read(
                  new RawEvent(
                      "t",
                      0,
                      0,
                      "{\"id\":1}".getBytes(StandardCharsets.UTF_8),
                      row.getBytes(StandardCharsets.UTF_8),
                      Map.of()));
          assertThat(change).isNotNull();
          assertThat(change.unsent()).as(source).hasSize(isOwn ? 0 : 1);
        });
  }

  @Test
  void aVersionIsShownAsNumbers() {
    assertThat(new OracleVersion(0, 130, -1, 0, 0, 7))
        .hasToString("position 130/18446744073709551615/0, offset 7");
    assertThat(new OracleVersion(2, 130, 90, 0, 1, 7))
        .hasToString("epoch 2, position 130/90/0 of a snapshot, offset 7");
  }

  @Test
  void aTieGoesToTheHigherOffset() {
    event("u", "false", "\"100\"", 120, 1);
    event("u", "false", "\"100\"", 120, 2);

    assertThat(value()).isEqualTo(2);
  }

  @Test
  void aRepetitionLeavesTheFirstOneStanding() {
    event("u", "false", "\"100\"", 120, 1);
    event("u", "false", "\"100\"", 120, 1);

    assertThat(row().allows(new OracleVersion(0, 100, 120, 0, 0, 0))).isTrue();
    assertThat(row().allows(new OracleVersion(0, 100, 120, 0, 0, 1))).isTrue();
    assertThat(row().allows(new OracleVersion(0, 100, 120, 0, 0, 2))).isFalse();
  }

  @Test
  void anUpdateThatWasOpenAtTheSnapshotSupersedesItsRow() {
    event("r", "first", "null", 500, 1);
    event("u", "false", "null", 300, 2);

    assertThat(value()).isEqualTo(2);
    assertThat(version()).isEqualTo(new OracleVersion(0, 300, 300, 0, 0, 1));
  }

  @Test
  void aSecondSnapshotSupersedesWhatWasStreamedAndItsCopyDoesNot() {
    event("r", "first", "null", 500, 1);
    event("u", "false", "\"600\"", 610, 2);
    event("r", "first", "null", 550, 3);
    assertThat(value()).isEqualTo(3);
    assertThat(version()).isEqualTo(new OracleVersion(0, 600, 610, 0, 1, 2));

    event("u", "false", "\"700\"", 710, 4);
    event("r", "last", "null", 550, 3);
    event("r", "last", "null", 500, 1);
    assertThat(value()).isEqualTo(4);
  }

  @Test
  void aRowOfAnIncrementalSnapshotStandsWhereTheStreamStands() {
    event("u", "false", "\"600\"", 610, 2);
    add(message("r", "incremental", "[\\\"600\\\",\\\"605\\\"]", "null", 3));

    assertThat(value()).isEqualTo(2);
  }

  @Test
  void aDeleteLeavesItsVersionBehind() {
    event("c", "false", "\"600\"", 610, 2);
    event("d", "false", "\"600\"", 620, null);
    add(null);
    event("u", "false", "\"600\"", 615, 3);

    OracleTable table = fold();
    assertThat(table.live()).isEmpty();
    assertThat(table.deleted().get(Map.<String, Object>of("id", 1)).version().p2()).isEqualTo(620);
  }

  @Test
  void logicalMessagesSayNothing() {
    event("c", "false", "\"600\"", 610, 2);
    add("{\"op\":\"m\",\"source\":{}}");

    assertThat(value()).isEqualTo(2);
  }

  @Test
  void sideRecordsInTheTablesTopicSayNothing() {
    event("c", "false", "\"600\"", 610, 2);
    add("{\"ts_ms\":1700000000000,\"ts_us\":1700000000000000}");
    add(
        "{\"status\":\"END\",\"id\":\"571:1\",\"event_count\":2,\"data_collections\":[],\"ts_ms\":1}");
    add(
        "{\"source\":{},\"databaseName\":\"d\",\"schemaName\":\"s\",\"ddl\":\"x\",\"tableChanges\":[]}");

    assertThat(value()).isEqualTo(2);
  }

  @Test
  void whatOnlyLooksLikeASideRecordIsRefused() {
    for (String other :
        List.of(
            "{\"ts_ms\":1,\"id\":1}",
            "{\"status\":\"END\",\"id\":1}",
            "{\"databaseName\":\"d\"}",
            "{}")) {
      events.clear();
      add(other);
      assertThatThrownBy(this::fold).as(other).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aTruncateThatATableWentPastLeavesItsRows() {
    event("c", "false", "\"600\"", 610, 2);
    add("{\"op\":\"t\",\"source\":{}}");

    assertThat(value()).isEqualTo(2);
  }

  @Test
  void onlyRecordsBeforeThePlaceCount() {
    event("c", "false", "\"600\"", 610, 1);
    event("u", "false", "\"600\"", 620, 2);

    Oracle oracle = new Oracle(options, RawLog.of(events), Offsets.NONE);

    assertThat(oracle.fold(Offsets.parse("{\"t\":{\"0\":1}}")).live().values())
        .singleElement()
        .satisfies(row -> assertThat(row.row()).containsEntry("v", 1));
  }

  /**
   * What lies in a gap has no place among the ranks either, whether it can be understood or not.
   */
  @Test
  void whatLiesInAGapNeverWas() {
    event("u", "false", "\"600\"", 610, 1);
    event("u", "false", "\"800\"", 810, 2);
    add("no JSON");
    event("r", "true", "\"900\"", 910, 3);
    RawLog log = RawLog.of(events);

    Gaps gaps = Gaps.parse("{\"t\":{\"0\":[{\"from\":1,\"to\":1},{\"from\":2,\"to\":2}]}}");
    OracleRow row = only(new Oracle(options, log, Offsets.NONE, Epochs.NONE, gaps));

    assertThat(row.row()).containsEntry("v", 3);
    assertThat(row.version()).isEqualTo(new OracleVersion(0, 600, 610, 0, 1, 3));
    assertThat(gaps.past("t", 0, 1)).isEqualTo(3);
    assertThat(gaps.past("t", 1, 1)).isEqualTo(1);
    assertThat(gaps.below(Offsets.parse("{\"t\":{\"0\":2}}")))
        .isEqualTo(Gaps.parse("{\"t\":{\"0\":[{\"from\":1,\"to\":1}]}}"));
    assertThatThrownBy(() -> Gaps.parse("{\"t\":{\"0\":[{\"from\":1}]}}"))
        .hasMessage("A gap needs two numbers, got {\"from\":1}");
    assertThatThrownBy(() -> Gaps.parse("{")).hasMessageStartingWith("Gaps need a JSON object");
  }

  @Test
  void offsetsAloneDecideWhereTheTableSaysSo() {
    event("u", "false", "\"600\"", 610, 1);
    event("u", "false", "\"500\"", 510, 2);

    assertThat(new Oracle(options.withScheme("kafka-offset"), RawLog.of(events), Offsets.NONE))
        .satisfies(o -> assertThat(only(o).row()).containsEntry("v", 2));
  }

  @Test
  void aColumnMayBeTheVersion() {
    event("u", "false", "\"600\"", 610, 2);
    event("u", "false", "\"700\"", 710, 1);

    assertThat(new Oracle(options.withScheme("field:v"), RawLog.of(events), Offsets.NONE))
        .satisfies(o -> assertThat(only(o).row()).containsEntry("v", 2));
    assertThat(new Oracle(options.withScheme("field:source.lsn"), RawLog.of(events), Offsets.NONE))
        .satisfies(
            o -> assertThat(only(o).version()).isEqualTo(new OracleVersion(0, 710, 0, 0, 0, 1)));
  }

  @Test
  void aChangeWithoutPositionIsRefused() {
    add(message("u", "false", "", "null", 1).replace("\"sequence\":\"\",", ""));

    assertThatThrownBy(this::fold).hasMessage("t-0@0 has no position");
  }

  @Test
  void aChangeOfTwoKeysIsRefused() {
    String row = message("u", "false", "[null,\\\"9\\\"]", "9", 1);
    add(row.replace("\"id\":1", "\"id\":2"));
    assertThatThrownBy(this::fold).hasMessage("t-0@0 has a row of another key");

    events.clear();
    add(row.replace("\"after\"", "\"before\":{\"id\":2},\"after\""));
    assertThatThrownBy(this::fold).hasMessage("t-0@0 leaves a row of another key behind");

    events.clear();
    add(row.replace("\"after\"", "\"before\":{\"v\":2},\"after\""));
    assertThat(value()).isEqualTo(1);
  }

  private int value() {
    return (int) row().row().get("v");
  }

  private OracleVersion version() {
    return row().version();
  }

  private OracleRow row() {
    return only(new Oracle(options, RawLog.of(events), Offsets.NONE));
  }

  private OracleRow only(Oracle oracle) {
    return oracle.fold(RawLog.of(events).end()).live().get(Map.<String, Object>of("id", 1));
  }

  private OracleTable fold() {
    RawLog log = RawLog.of(events);
    return new Oracle(options, log, Offsets.NONE).fold(log.end());
  }

  private void event(String op, String snapshot, String previous, long lsn, @Nullable Integer v) {
    String sequence = "[" + previous.replace("\"", "\\\"") + ",\\\"" + lsn + "\\\"]";
    add(message(op, snapshot, sequence, String.valueOf(lsn), v));
  }

  private static String message(
      String op, String snapshot, String sequence, String lsn, @Nullable Integer v) {
    return "{\"op\":\"%s\",\"after\":%s,\"source\":{\"connector\":\"postgresql\",\"sequence\":\"%s\",\"lsn\":%s,\"snapshot\":\"%s\"}}"
        .formatted(op, v == null ? "null" : "{\"id\":1,\"v\":" + v + "}", sequence, lsn, snapshot);
  }

  private void add(@Nullable String value) {
    events.add(
        new RawEvent(
            "t",
            0,
            events.size(),
            "{\"id\":1}".getBytes(StandardCharsets.UTF_8),
            value == null ? null : value.getBytes(StandardCharsets.UTF_8),
            Map.of()));
  }
}
