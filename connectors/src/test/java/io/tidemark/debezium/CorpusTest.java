package io.tidemark.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Seeds;
import io.tidemark.change.Position;
import io.tidemark.change.SourceOffset;
import io.tidemark.change.SourcePosition;
import io.tidemark.corpus.Deliveries;
import io.tidemark.corpus.Fold;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.version.VersionReader;
import io.tidemark.row.RowShape;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Real recordings end in the database's own rows, cell by cell, whatever is delivered again and in
 * whatever order partitions are read. What the source itself loses is listed here, by name.
 */
class CorpusTest {

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void everyCellIsTheDatabasesOwn(CorpusTable table) {
    Fold fold = table.fold(OnUnrepresentable.NULL).applyAll(table.records());

    assertThat(fold.malformed()).isEmpty();
    assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
  }

  @ParameterizedTest
  @EnumSource(CorpusTable.class)
  void partitionsMayInterleaveSuffixesRepeatAndCopiesFollowInAnyOrder(CorpusTable table) {
    List<RawRecord> records = table.records();
    for (long seed = 1; seed <= 2; seed++) {
      Random random = Seeds.random("CorpusTest." + table, seed);
      Fold fold = table.fold(OnUnrepresentable.NULL);

      List<RawRecord> sent = Deliveries.withRestarts(records, random);
      fold.applyAll(Deliveries.interleaved(sent, random));
      assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
      fold.applyAll(
          table.hasPositions() ? Deliveries.shuffledCopy(sent, random) : Deliveries.copy(sent));

      assertThat(fold.malformed()).isEmpty();
      assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(table.lost());
    }
  }

  @Test
  void columnsThatTheSourceDoesNotSendAreNotThere() {
    assertThat(CorpusTable.TYPES.shape().positions())
        .hasSize(71)
        .doesNotContainKeys("c_circle", "c_box"); // JDBC type 1111
  }

  /** Rows that a later event repairs, so that the fold does not show them. */
  @Test
  void whatOnlySingleEventsLose() {
    assertThat(values("8", "c_date")).containsExactly("0044-03-15", "-0043-03-15"); // 44 BC
    assertThat(values("108", "c_date")).containsExactly("-0043-03-15");
    assertThat(values("3", "c_interval")).containsExactly("9223372036854775807"); // 178,000,000 y
  }

  /** The values that the events of one row bring, in order, each once. */
  private static List<String> values(String id, String column) {
    RowShape shape = CorpusTable.TYPES.shape();
    DecoderSettings settings =
        CorpusTable.TYPES.settings().withOnUnrepresentable(OnUnrepresentable.NULL);
    EnvelopeDecoder decoder = new EnvelopeDecoder(shape, settings, new TextRow(shape));
    return CorpusTable.TYPES.records().stream()
        .map(decoder::decode)
        .filter(DecodeResult.Decoded.class::isInstance)
        .map(result -> TextRow.read(((DecodeResult.Decoded) result).row()))
        .filter(row -> id.equals(row.get("id")) && row.containsKey(column))
        .map(row -> row.get(column))
        .distinct()
        .toList();
  }

  @Test
  void whatNoColumnCanHoldIsRefusedByName() {
    Fold fold =
        CorpusTable.TYPES.fold(OnUnrepresentable.FAIL).applyAll(CorpusTable.TYPES.records());

    String infinite =
        "c_date: cannot store a date before 4713 BC, as which Debezium writes an infinite date";
    String midnight = "c_time: cannot store the time 24:00, which no time column can hold";
    String wrapped =
        "c_ts: cannot store a timestamp before 4713 BC, as which Debezium writes one after the year 294247";
    assertThat(fold.malformed())
        .containsExactly(
            refused(1, 1, infinite),
            refused(1, 2, infinite),
            refused(0, 3, midnight),
            refused(3, 2, wrapped),
            refused(0, 8, infinite),
            refused(1, 3, infinite),
            refused(1, 5, midnight),
            refused(3, 4, wrapped),
            refused(1, 8, infinite),
            refused(1, 9, infinite),
            refused(0, 12, midnight),
            refused(3, 8, wrapped));
  }

  private static String refused(int partition, long offset, String problem) {
    return new SourceOffset("src.ty.all_types", partition, offset)
        + ": after: column "
        + problem
        + " (on-unrepresentable: null would store null)";
  }

  /** The planted bug of issue 2: what peers do, and why it is wrong. */
  @Test
  void lsnAloneAsVersionLosesUpdates() {
    VersionReader right = VersionReader.of(DecoderSettings.DEFAULTS.version());
    VersionReader lsnAlone =
        event -> new SourcePosition.Stream(new Position(right.read(event).position().p2(), 0, 0));

    assertThat(interleaved(lsnAlone)).isNotEmpty();
  }

  /** The right numbers do not help while a snapshot's rows are compared by the snapshot's own. */
  @Test
  void snapshotRowsRankedByTheirOwnPositionLoseUpdates() {
    VersionReader right = VersionReader.of(DecoderSettings.DEFAULTS.version());
    VersionReader unranked = event -> new SourcePosition.Stream(right.read(event).position());

    assertThat(interleaved(unranked)).isNotEmpty();
  }

  private static List<String> interleaved(VersionReader versions) {
    CorpusTable table = CorpusTable.ACCOUNTS;
    RowShape shape = table.shape();
    Fold fold =
        new Fold(new EnvelopeDecoder(shape, table.settings(), new TextRow(shape), versions));
    return table.differences(fold.applyAll(table.records()));
  }
}
