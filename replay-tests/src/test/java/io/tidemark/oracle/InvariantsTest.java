package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** I8 to I10 are checked as the others are: what is right passes, what is planted is named. */
class InvariantsTest {

  private static final Duration AT_ONCE = Duration.ZERO;

  @TempDir Path directory;

  private final RawLog log = EventScript.of(ScriptOptions.of(11).size(8, 60)).log();
  private final Oracle oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE);
  private CopiedTable table;
  private CopiedTable tombstones;

  @BeforeEach
  void aRightTable() {
    HadoopCatalog catalog = new HadoopCatalog(new Configuration(), directory.toUri().toString());
    table = new CopiedTable(catalog, "orders");
    tombstones = new CopiedTable(catalog, "orders__tombstones");
    right(log.end());
  }

  @Test
  void aRightTableHasAllOfThem() throws Exception {
    Invariants invariants = invariants(log);
    RememberedTable before = invariants.remember();
    right(log.end());

    assertThat(invariants.everySnapshot().recorded()).isEqualTo(2);
    assertThat(invariants.caughtUp().recorded()).isEqualTo(2);
    assertThat(invariants.awaitCaughtUp(AT_ONCE, () -> false).recorded()).isEqualTo(2);
    before.orThrow();
    assertThat(invariants.files().explainedBy(0, 0).referenced()).isGreaterThan(8);
  }

  @Test
  void aReplayThatChangesARowIsFound() {
    RememberedTable before = invariants(log).remember();
    List<Record> rows = CopiedTable.rows(oracle.fold(log.end()));
    rows.get(0).setField("qty", -1);
    table.write(rows, table.summary(log.end()));

    assertThat(before.problems()).singleElement().asString().contains("I8").contains("qty=-1");
  }

  @Test
  void aReplayThatLosesARowIsFound() {
    RememberedTable before = invariants(log).remember();
    List<Record> rows = CopiedTable.rows(oracle.fold(log.end()));
    rows.remove(0);
    table.write(rows, table.summary(log.end()));

    assertThat(before.problems()).singleElement().asString().contains("I8").contains("is null");
  }

  @Test
  void aReplayThatShowsAnOldVersionOnTheWayIsFound() {
    RememberedTable before = invariants(log).remember();
    List<Record> rows = CopiedTable.rows(oracle.fold(log.end()));
    rows.get(0).setField("_commit_version", CopiedTable.text(new OracleVersion(0, 1, 1, 0, 0, 0)));
    table.write(rows, Map.of("tidemark.commit-id", "x", "tidemark.partial", "true"));
    right(log.end());

    assertThat(before.problems()).singleElement().asString().contains("I4").contains("went back");
  }

  @Test
  void aReplayThatForgetsATombstoneIsFound() {
    RememberedTable before = invariants(log).remember();
    tombstones.write(List.of(), Map.of());

    assertThat(before.problems()).singleElement().asString().contains("tombstones of [{id=");
  }

  @Test
  void aTableThatDoesNotCatchUpIsFound() {
    right(half());

    assertThatThrownBy(() -> invariants(log).awaitCaughtUp(AT_ONCE, () -> true))
        .hasMessageContaining("I9")
        .hasMessageContaining("after PT0S");
    assertThatThrownBy(() -> invariants(log).awaitCaughtUp(Duration.ofDays(1), () -> false))
        .hasMessageContaining("and the job is over");
    assertThatThrownBy(() -> invariants(log).caughtUp()).hasMessageContaining("I9");
  }

  @Test
  void recordsThatChangeNothingNeedNotBeRecorded() throws Exception {
    List<RawEvent> more = new ArrayList<>(log.events());
    RawEvent again = more.get(0);
    more.add(again.at(again.partition(), log.end().next(again.topic(), again.partition())));

    invariants(RawLog.of(more)).awaitCaughtUp(AT_ONCE, () -> true);
  }

  @Test
  void aFileThatNothingRefersToIsFound() throws Exception {
    Files.writeString(directory.resolve("shop/orders/data/left.parquet"), "");
    Files.writeString(directory.resolve("shop/orders/metadata/left-m0.avro"), "");
    FileReport report = invariants(log).files();
    Files.writeString(directory.resolve("shop/orders/data/later.parquet"), "");
    FileReport later = invariants(log).files();

    report.since(report).explainedBy(0, 0);
    assertThatThrownBy(() -> later.since(report).explainedBy(0, 0))
        .hasMessageContaining("1 data and 0 metadata files left behind")
        .hasMessageContaining("later.parquet");
    assertThat(report.leftData()).singleElement().asString().endsWith("left.parquet");
    assertThat(report.leftMetadata()).singleElement().asString().endsWith("left-m0.avro");
    report.explainedBy(1, 2);
    assertThatThrownBy(() -> report.explainedBy(1, 1)).hasMessageContaining("I10");
  }

  @Test
  void aLostFileIsFound() throws Exception {
    Files.delete(Path.of(java.net.URI.create(table.lastFile().location()).getPath()));

    assertThatThrownBy(() -> invariants(log).files().explainedBy(9, 9))
        .hasMessageContaining("I10: lost files");
  }

  private Invariants invariants(RawLog all) {
    return new Invariants(table.table(), tombstones.table(), OracleOptions.DEFAULT, () -> all);
  }

  private void right(Offsets offsets) {
    tombstones.write(CopiedTable.tombstones(oracle.fold(log.end())), Map.of());
    Map<String, String> summary = new TreeMap<>(table.summary(offsets));
    summary.put(
        TableRecord.TOMBSTONES, Long.toString(tombstones.table().currentSnapshot().snapshotId()));
    table.write(CopiedTable.rows(oracle.fold(offsets)), summary);
  }

  private Offsets half() {
    Map<Integer, Long> half = new TreeMap<>();
    String topic = log.events().get(0).topic();
    log.end().next().get(topic).forEach((partition, end) -> half.put(partition, end / 2));
    return new Offsets(Map.of(topic, half));
  }
}
