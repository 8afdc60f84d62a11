package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The streamed comparison says the same as the one that keeps everything. */
class VerificationTest {

  private final RawLog log = EventScript.of(options(7)).log();
  private final Oracle oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE);
  private final CopiedTable copy = new CopiedTable();
  private final Findings findings = new Findings(10);

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 5, 8})
  void anyOrderFoldsToWhatTheOracleFolds(long seed) {
    Oracle seeded =
        new Oracle(OracleOptions.DEFAULT, EventScript.of(options(seed)).log(), Offsets.NONE);
    List<OracleChange> changes = new ArrayList<>(seeded.changes());
    Collections.shuffle(changes, new Random(seed));
    KeyFold fold = fold(changes);

    OracleTable expected = seeded.fold(EventScript.of(options(seed)).log().end());
    assertThat(fold.size()).isEqualTo(expected.live().size() + expected.deleted().size());
    expected
        .live()
        .forEach(
            (key, row) -> {
              KeyState state = fold.get(fold.key(key));
              assertThat(state).isNotNull();
              assertThat(state.isLive()).isTrue();
              assertThat(state.version()).isEqualTo(row.version());
              row.copies()
                  .keySet()
                  .forEach(offset -> assertThat(state.allows(at(row.version(), offset))).isTrue());
            });
    expected
        .deleted()
        .keySet()
        .forEach(key -> assertThat(fold.get(fold.key(key)).isLive()).isFalse());
  }

  @Test
  void aRightTableLacksOnlyItsTombstones() {
    Verification.Result result = verify(rows(), LogExtent.WHOLE);

    assertThat(result.rows()).isEqualTo(result.live()).isGreaterThan(5);
    assertThat(findings.count(Difference.TOMBSTONE_MISSING)).isEqualTo(result.deleted());
    for (Difference kind : Difference.values()) {
      if (kind != Difference.TOMBSTONE_MISSING) {
        assertThat(findings.count(kind)).as(kind.title()).isZero();
      }
    }
  }

  @Test
  void aVersionThatTheLogDoesNotHaveIsNewer() {
    List<Record> rows = rows();
    OracleVersion version = OracleVersion.parse(rows.get(0).getField("_commit_version").toString());
    OracleVersion above = new OracleVersion(1, version.p1(), version.p2(), 0, 0, version.offset());
    rows.get(0).setField("_commit_version", CopiedTable.text(above));
    verify(rows, LogExtent.WHOLE);

    assertThat(findings.examples(Difference.NEWER))
        .singleElement()
        .satisfies(
            example -> assertThat(example.what()).isEqualTo("id=" + rows.get(0).getField("id")));
  }

  @Test
  void whatOnlyALostRecordCanExplainIsNotJudged() {
    List<Record> rows = rows();
    rows.add(rows.get(0).copy(Map.of("id", 999L)));
    Verification.Result result = verify(rows, new LogExtent(Long.MAX_VALUE, 0, false, Set.of()));

    assertThat(result.unexplained()).isEqualTo(1);
    assertThat(findings.count(Difference.EXTRA)).isZero();
  }

  /** A repair would put the older row in its place. */
  @Test
  void whatWasMadeOfARecordThatCannotBeUnderstoodIsNotJudged() {
    long offset = 777_777;
    List<Record> rows = rows();
    OracleVersion version = OracleVersion.parse(rows.get(0).getField("_commit_version").toString());
    OracleVersion above = new OracleVersion(0, version.p1() + 1_000_000, 0, 0, 0, offset);
    rows.get(0).setField("_commit_version", CopiedTable.text(above));
    rows.add(rows.get(0).copy(Map.of("id", 999L)));
    Verification.Result result = verify(rows, new LogExtent(0, 0, false, Set.of(offset)));

    assertThat(result.unexplained()).isEqualTo(2);
    assertThat(findings.count(Difference.NEWER)).isZero();
    assertThat(findings.count(Difference.EXTRA)).isZero();

    verify(rows, new LogExtent(0, 0, false, Set.of(offset + 1)));
    assertThat(findings.count(Difference.NEWER)).isEqualTo(1);
    assertThat(findings.count(Difference.EXTRA)).isEqualTo(1);
  }

  /** The row stands as the log says, but for a column that an older record told. */
  @Test
  void aColumnThatALostRecordToldIsNotJudged() {
    List<Record> rows = rows();
    Record told = rows.get(0);
    OracleVersion standing = OracleVersion.parse(told.getField("_commit_version").toString());
    told.setField("name", "told by a record before those that are left");
    told.setField(
        "_kept", Map.of("name", CopiedTable.text(at(new OracleVersion(0, 0, 0, 0, 0, 0), 3))));
    List<OracleChange> left =
        oracle.changes().stream()
            .filter(
                c -> !told.getField("id").equals(c.key().get("id")) || c.version().equals(standing))
            .map(c -> told.getField("id").equals(c.key().get("id")) ? withoutName(c) : c)
            .toList();
    copy.write(rows, copy.summary(log.end()));

    verification(left, new LogExtent(4, 0, false, Set.of())).run(copy.table(), null);
    assertThat(findings.count(Difference.DIFFERENT)).isZero();

    verification(left, new LogExtent(3, 0, false, Set.of())).run(copy.table(), null);
    assertThat(findings.examples(Difference.DIFFERENT))
        .singleElement()
        .satisfies(example -> assertThat(example.columns()).containsExactly("name"));
  }

  /** Two snapshots with nothing in between: the same row, at the same position, at two times. */
  @Test
  void theTimeIsThatOfTheCopyWhoseVersionStands() {
    List<Record> rows = rows();
    Record row = rows.get(0);
    OracleChange stands =
        oracle.changes().stream()
            .filter(c -> CopiedTable.text(c.version()).equals(row.getField("_commit_version")))
            .findFirst()
            .orElseThrow();
    OracleVersion later = at(stands.version(), stands.version().offset() + 1_000_000);
    OffsetDateTime laterTime = stands.sourceTime().plusSeconds(5);
    List<OracleChange> changes = new ArrayList<>(oracle.changes());
    changes.add(
        new OracleChange(
            stands.event(),
            stands.key(),
            stands.row(),
            later,
            laterTime,
            stands.unsent(),
            stands.fresh()));
    copy.write(rows, copy.summary(log.end()));
    verification(changes, LogExtent.WHOLE).run(copy.table(), null);
    row.setField("_commit_version", CopiedTable.text(later));
    row.setField("_source_ts", laterTime);
    copy.write(rows, copy.summary(log.end()));
    verification(changes, LogExtent.WHOLE).run(copy.table(), null);
    assertThat(findings.count(Difference.DIFFERENT)).isZero();

    row.setField("_source_ts", stands.sourceTime());
    copy.write(rows, copy.summary(log.end()));
    verification(changes, LogExtent.WHOLE).run(copy.table(), null);
    assertThat(findings.examples(Difference.DIFFERENT))
        .singleElement()
        .satisfies(example -> assertThat(example.columns()).containsExactly("_source_ts"));
  }

  private static OracleChange withoutName(OracleChange change) {
    Map<String, Object> row = new HashMap<>(change.row());
    row.put("name", null);
    return new OracleChange(
        change.event(),
        change.key(),
        row,
        change.version(),
        change.sourceTime(),
        Set.of("name"),
        false);
  }

  @Test
  void aRowWithoutVersionIsFound() {
    List<Record> rows = rows();
    rows.get(0).setField("_commit_version", "mine");
    verify(rows, LogExtent.WHOLE);

    assertThat(findings.count(Difference.OLDER)).isEqualTo(1);
    assertThat(findings.count(Difference.MISSING)).isZero();
  }

  @Test
  void aFileThatIsReferredToTwiceIsFound() {
    copy.write(rows(), copy.summary(log.end()));
    copy.addAgain(Map.of());
    verification(LogExtent.WHOLE).run(copy.table(), null);

    assertThat(findings.count(Difference.FILE_TWICE)).isEqualTo(1);
    assertThat(findings.count(Difference.DUPLICATE)).isGreaterThan(5);
    assertThat(findings.examples(Difference.FOREIGN))
        .singleElement()
        .satisfies(example -> assertThat(example.what()).contains("(append)"));
  }

  @Test
  void aPartOfACommitCannotBeCompared() {
    Map<String, String> summary = new HashMap<>(copy.summary(log.end()));
    summary.put("tidemark.partial", "true");
    copy.write(rows(), summary);

    org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
        .isThrownBy(() -> TableRecord.of(copy.table(), null))
        .withMessageContaining("only the first part of a commit");
  }

  @Test
  void differentValuesHaveDifferentFingerprints() {
    Fingerprints prints = new Fingerprints();
    List<Object> values =
        List.of(1, 1L, "1", 1.0, 1.0f, true, List.of("1"), List.of("1", "1"), Map.of("1", "1"));

    assertThat(values.stream().map(prints::of)).doesNotHaveDuplicates().doesNotContain(0L);
    assertThat(prints.of(null)).isZero();
    assertThat(prints.of(List.of("ab", "c"))).isNotEqualTo(prints.of(List.of("a", "bc")));
  }

  private Verification.Result verify(List<Record> rows, LogExtent extent) {
    copy.write(rows, copy.summary(log.end()));
    return verification(extent).run(copy.table(), null);
  }

  private Verification verification(LogExtent extent) {
    return verification(oracle.changes(), extent);
  }

  private Verification verification(List<OracleChange> changes, LogExtent extent) {
    return new Verification(
        TableRecord.of(copy.table(), null), fold(changes), extent, findings, rows -> {});
  }

  private KeyFold fold(List<OracleChange> changes) {
    KeyFold fold = new KeyFold(copy.table().schema(), List.of("id"));
    changes.forEach(fold::add);
    return fold;
  }

  private List<Record> rows() {
    return CopiedTable.rows(oracle.fold(log.end()));
  }

  private static OracleVersion at(OracleVersion v, long offset) {
    return new OracleVersion(v.epoch(), v.p1(), v.p2(), v.p3(), v.phase(), offset);
  }

  private static ScriptOptions options(long seed) {
    return ScriptOptions.of(seed).size(10, 80).resnapshots(1).ties(0.2).repeated(1, 10, 1);
  }
}
