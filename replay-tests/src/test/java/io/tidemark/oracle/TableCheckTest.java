package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checker is checked: a right table passes, and each planted difference is named. */
class TableCheckTest {

  private final RawLog log = EventScript.of(ScriptOptions.of(11).size(8, 60)).log();
  private final Oracle oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE);
  private CopiedTable copy = new CopiedTable();

  @BeforeEach
  void twoRightSnapshots() {
    copy = new CopiedTable();
    right(at(3));
    right(at(2));
  }

  @Test
  void aRightTableIsClean() {
    right(at(1));

    TableReport report = TableCheck.of(copy.table(), oracle, log.end());

    assertThat(report.problems()).isEmpty();
    assertThat(report.recorded()).isEqualTo(3);
    assertThat(report.rows()).isGreaterThan(15);
  }

  @Test
  void aWrongCellIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    rows.get(0).setField("qty", -1);

    assertThat(written(rows)).singleElement().asString().contains("I2").contains("qty is -1");
  }

  @Test
  void aNullInPlaceOfAValueIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    rows.get(0).setField("day", null);

    assertThat(written(rows)).singleElement().asString().contains("day is null, expected 2024");
  }

  @Test
  void aMissingRowIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    rows.remove(0);

    assertThat(written(rows)).singleElement().asString().contains("I2").contains("missing {id=");
  }

  @Test
  void aRowTooMuchIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    Record more = rows.get(0).copy(Map.of("id", 999L));
    rows.add(more);

    assertThat(written(rows)).singleElement().asString().contains("row that the log does not have");
  }

  @Test
  void twoRowsOfOneKeyAreFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    rows.add(rows.get(0).copy());

    assertThat(written(rows)).singleElement().asString().contains("I3").contains("2 live rows");
  }

  @Test
  void aWrongSourceTimeIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    rows.get(0).setField("_source_ts", null);

    assertThat(written(rows)).singleElement().asString().contains("_source_ts is null");
  }

  @Test
  void aWrongVersionIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(1)));
    String text = rows.get(0).getField("_commit_version").toString();
    OracleVersion v = OracleVersion.parse(text);
    rows.get(0)
        .setField(
            "_commit_version",
            CopiedTable.text(
                new OracleVersion(v.epoch(), v.p1(), v.p2() + 1, v.p3(), v.phase(), v.offset())));

    assertThat(written(rows)).singleElement().asString().contains("I2").contains("has version");
  }

  @Test
  void aVersionThatGoesBackIsFoundInAPartialSnapshotToo() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(2)));
    Record row = newest(rows);
    row.setField("_commit_version", CopiedTable.text(new OracleVersion(0, 1, 1, 0, 0, 0)));
    Map<String, String> partial = copy.summary(at(1));
    partial.put("tidemark.partial", "true");
    copy.write(rows, partial);

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .singleElement()
        .asString()
        .contains("I4")
        .contains("went back from");
  }

  @Test
  void aDeletedKeyThatComesBackIsFound() {
    List<Record> rows = CopiedTable.rows(oracle.fold(at(2)));
    Map.Entry<Map<String, Object>, OracleRow> deleted =
        oracle.fold(at(2)).deleted().entrySet().iterator().next();
    Record ghost = rows.get(0).copy(new HashMap<>(deleted.getKey()));
    ghost.setField("_commit_version", CopiedTable.text(new OracleVersion(0, 1, 1, 0, 0, 0)));
    rows.add(ghost);
    copy.write(rows, Map.of());

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .anySatisfy(problem -> assertThat(problem).contains("I5").contains("back with"));
  }

  @Test
  void offsetsThatGoBackAreFound() {
    right(at(3));

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .anySatisfy(problem -> assertThat(problem).contains("I6").contains("offsets went back"));
  }

  @Test
  void aGapThatNobodyAcceptedIsFound() {
    Map<String, String> summary = copy.summary(at(1));
    summary.put("tidemark.gaps", "{\"t\":{\"0\":[{\"from\":1,\"to\":2}]}}");
    copy.write(CopiedTable.rows(oracle.fold(at(1))), summary);

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .singleElement()
        .asString()
        .contains("I6", "gaps are {t={0={1=2}}}, but {} is lacking");
  }

  @Test
  void aParentThatWasNotThereBeforeIsFound() {
    Map<String, String> summary = copy.summary(at(1));
    summary.put("tidemark.parent", "somebody");
    copy.write(CopiedTable.rows(oracle.fold(at(1))), summary);

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .singleElement()
        .asString()
        .contains("I6")
        .contains("parent is somebody");
  }

  @Test
  void aFileThatIsLiveTwiceIsFound() {
    copy.addAgain(Map.of());

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .anySatisfy(problem -> assertThat(problem).contains("I7").contains("live twice"));
  }

  @Test
  void aFileThatIsGoneIsFound() {
    right(at(1));
    copy.table().io().deleteFile(copy.lastFile().location());

    assertThat(TableCheck.of(copy.table(), oracle).problems())
        .singleElement()
        .asString()
        .contains("I7")
        .contains("does not exist");
  }

  @Test
  void recordsThatOvertakeTheRowsAreFound() {
    List<Record> behind = CopiedTable.rows(oracle.fold(at(2)));
    copy.write(behind, copy.summary(at(1)));

    assertThat(TableCheck.of(copy.table(), oracle).problems()).isNotEmpty();
  }

  @Test
  void aTableThatDidNotReachTheEndIsFound() {
    assertThat(TableCheck.of(copy.table(), oracle, log.end()).problems())
        .singleElement()
        .asString()
        .contains("I9");
  }

  private List<String> written(List<Record> rows) {
    copy.write(rows, copy.summary(at(1)));
    return TableCheck.of(copy.table(), oracle).problems();
  }

  private void right(Offsets offsets) {
    copy.write(CopiedTable.rows(oracle.fold(offsets)), copy.summary(offsets));
  }

  /** The place where a part of each partition was read. */
  private Offsets at(int divisor) {
    Map<String, Map<Integer, Long>> next = new HashMap<>();
    log.end()
        .next()
        .forEach(
            (topic, partitions) -> {
              Map<Integer, Long> parts = new HashMap<>();
              partitions.forEach((p, end) -> parts.put(p, end / divisor));
              next.put(topic, parts);
            });
    return new Offsets(next);
  }

  private static Record newest(List<Record> rows) {
    return rows.stream()
        .max(Comparator.comparing(row -> row.getField("_commit_version").toString()))
        .orElseThrow();
  }
}
