package io.tidemark.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.Test;

/** What the checks make of a table that forgets, and of one that forgets too much. */
class HorizonCheckTest {

  private final RawLog log =
      EventScript.of(ScriptOptions.of(7).partitions(2).size(10, 60).hoursApart(30)).log();
  private final Oracle oracle = new Oracle(OracleOptions.DEFAULT, log, Offsets.NONE);
  private final OracleTable folded = oracle.fold(log.end());
  private final CopiedTable table = new CopiedTable();
  private final CopiedTable tombstones = new CopiedTable();

  @Test
  void aHorizonThatComesTooCloseToTheSlowestPartitionIsFound() {
    LocalDate latest = slowest().minusDays(2);
    written(latest);
    assertThat(TombstoneCheck.ofHorizon(table.table(), oracle, 2)).isEmpty();
    assertThat(TombstoneCheck.ofHorizon(table.table(), oracle, 3))
        .singleElement()
        .asString()
        .contains("I6: the horizon is " + latest + ", the slowest partition was at ");
  }

  @Test
  void aHorizonThatGoesBackIsFound() {
    LocalDate latest = slowest().minusDays(2);
    written(latest);
    written(latest.minusDays(1));

    assertThat(TombstoneCheck.ofHorizon(table.table(), oracle, 2))
        .containsExactly("I6: the horizon went back from " + latest + " to " + latest.minusDays(1));
  }

  @Test
  void whatIsForgottenADayBeforeTheHorizonIsNotMissedAndWhatIsLaterIs() {
    LocalDate horizon = slowest().minusDays(2);
    OffsetDateTime from = horizon.minusDays(1).atStartOfDay().atOffset(ZoneOffset.UTC);
    List<Record> kept = new ArrayList<>();
    List<Record> all = CopiedTable.tombstones(folded);
    for (Record tombstone : all) {
      if (!deletedAt(tombstone).isBefore(from)) {
        kept.add(tombstone);
      }
    }
    assertThat(kept).isNotEmpty().hasSizeLessThan(all.size());
    tombstones.write(kept, Map.of());
    written(horizon);
    assertThat(TombstoneCheck.of(table.table(), tombstones.table(), oracle)).isEmpty();

    kept.remove(0);
    tombstones.write(kept, Map.of());
    written(horizon);
    assertThat(TombstoneCheck.of(table.table(), tombstones.table(), oracle))
        .singleElement()
        .asString()
        .contains("no tombstone for ")
        .endsWith(", remembered from " + from + ", found []");
  }

  @Test
  void verificationDoesNotLookForWhatIsForgotten() {
    written(LocalDate.of(2100, 1, 1));
    Findings findings = new Findings(10);
    Verification.Result result =
        new Verification(
                TableRecord.of(table.table(), null), fold(), LogExtent.WHOLE, findings, rows -> {})
            .run(table.table(), null);

    assertThat(findings.count(Difference.TOMBSTONE_MISSING)).isZero();
    assertThat(result.notes())
        .containsExactly(
            result.deleted()
                + " deleted keys were not looked for among the tombstones: they lie before the"
                + " table's horizon 2100-01-01 (tombstones.retention).");
    written(LocalDate.of(2000, 1, 1));
    new Verification(
            TableRecord.of(table.table(), null), fold(), LogExtent.WHOLE, findings, rows -> {})
        .run(table.table(), null);
    assertThat(findings.count(Difference.TOMBSTONE_MISSING)).isEqualTo(result.deleted());
  }

  private KeyFold fold() {
    KeyFold fold = new KeyFold(table.table().schema(), List.of("id"));
    oracle.changes().forEach(fold::add);
    return fold;
  }

  private OffsetDateTime deletedAt(Record tombstone) {
    return folded.deleted().entrySet().stream()
        .filter(key -> key.getKey().get("id").equals(tombstone.getField("id")))
        .findFirst()
        .orElseThrow()
        .getValue()
        .sourceTime();
  }

  /** The day that the slower of the two partitions has reached. */
  private LocalDate slowest() {
    Map<Integer, OffsetDateTime> newest = new HashMap<>();
    for (OracleChange change : oracle.changes()) {
      if (change.version().phase() == 0) {
        newest.merge(
            change.event().partition(), change.sourceTime(), (a, b) -> a.isAfter(b) ? a : b);
      }
    }
    return newest.values().stream()
        .map(OffsetDateTime::toLocalDate)
        .min(LocalDate::compareTo)
        .orElseThrow();
  }

  private void written(LocalDate horizon) {
    Map<String, String> summary = table.summary(log.end());
    summary.put("tidemark.horizon", horizon.toString());
    if (tombstones.table().currentSnapshot() != null) {
      summary.put(
          "tidemark.tombstone-snapshot",
          Long.toString(tombstones.table().currentSnapshot().snapshotId()));
    }
    table.write(CopiedTable.rows(folded), summary);
  }
}
