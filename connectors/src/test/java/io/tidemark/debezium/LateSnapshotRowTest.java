package io.tidemark.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Seeds;
import io.tidemark.change.SourceOffset;
import io.tidemark.corpus.Deliveries;
import io.tidemark.corpus.Fold;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Oracle's snapshot rows beside newer deletes, as memiiso/debezium-server-iceberg#544 has them: a
 * transaction changes rows, a snapshot reads them as they were, and the transaction commits. SCNs
 * and times are the connector's: a row of a snapshot has the time of the snapshot's SCN, a change
 * the time at which it was made, so that the newer change has the older time.
 */
class LateSnapshotRowTest {
  private static final long SNAPSHOT_TIME = 1744620287;
  private static final long CHANGE_TIME = 1744613916;

  private final List<RawRecord> log = new ArrayList<>();

  /** Read before the commit, sent before the change: what the issue lists. */
  @Test
  void aDeleteThatWasOpenAtTheSnapshotWinsThoughItsTimeIsOlder() {
    row(1, "70", "1000");
    row(2, "70", "1000");
    change("d", 1, "70", "1010");
    change("c", 3, "510", "1010");

    assertThat(rows()).isEqualTo(Map.of("2", "70", "3", "510"));
  }

  /** A copy of the row, or a row of which nothing was sent before: the snapshot keeps its place. */
  @Test
  void aRowThatIsSentAfterTheDeleteBringsNothingBackWhereItsSnapshotHadBegun() {
    row(1, "70", "1000");
    change("d", 1, "70", "1010");
    change("d", 2, "70", "1011");
    row(1, "70", "1000");
    row(2, "70", "1000");

    assertThat(rows()).isEmpty();
  }

  /**
   * A snapshot that begins after the deletes, and reads the table as of an older SCN: Debezium's
   * blocking snapshot with snapshot.mode=recovery. Only the source could know; see sources.md.
   */
  @Test
  void rowsOfASnapshotThatBeginsAfterThemAndIsOlderAreTakenForNewerOnes() {
    row(1, "70", "900");
    row(2, "70", "900");
    row(3, "70", "900");
    change("d", 1, "70", "1010");
    change("u", 2, "510", "1011");
    change("d", 3, "70", "1012");
    assertThat(rows()).isEqualTo(Map.of("2", "510"));

    row(1, "70", "1000");
    row(2, "70", "1000");
    row(3, "70", "1000");
    assertThat(rows()).isEqualTo(Map.of("1", "70", "2", "70", "3", "70"));

    change("u", 2, "511", "1020"); // the next change of a key puts it right
    change("d", 3, "70", "1021");
    assertThat(rows()).isEqualTo(Map.of("1", "70", "2", "511"));
  }

  /** A second snapshot at a newer SCN: what was streamed before is in it. */
  @Test
  void rowsOfASnapshotThatBeginsAfterThemAndIsNewerAreNewer() {
    row(1, "70", "1000");
    change("d", 1, "70", "1010");
    row(1, "71", "1020"); // inserted while the connector was away
    change("d", 1, "71", "1030");
    change("c", 2, "70", "1030");

    assertThat(rows()).isEqualTo(Map.of("2", "70"));
  }

  /** Rows by id, the same after a shuffled copy. */
  private Map<String, String> rows() {
    Fold fold = new Fold(Events.decoder(DecoderSettings.DEFAULTS, "id*: long", "v: string"));
    Map<String, String> rows = values(fold.applyAll(log));
    fold.applyAll(Deliveries.shuffledCopy(log, Seeds.random("LateSnapshotRowTest", 1)));
    assertThat(fold.malformed()).isEmpty();
    assertThat(values(fold)).isEqualTo(rows);
    return rows;
  }

  private static Map<String, String> values(Fold fold) {
    Map<String, String> values = new TreeMap<>();
    fold.rows().forEach((id, row) -> values.put(id, row.get("v")));
    return values;
  }

  private void row(long id, String value, String scn) {
    add(
        "r",
        id,
        value,
        "\"snapshot\":\"true\",\"scn\":\"%s\",\"commit_scn\":null,\"ts_ms\":%d"
            .formatted(scn, (SNAPSHOT_TIME + Long.parseLong(scn)) * 1000));
  }

  /** Made before the snapshot was taken, committed after it. */
  private void change(String op, long id, String value, String commitScn) {
    add(
        op,
        id,
        value,
        "\"snapshot\":\"false\",\"scn\":\"950\",\"commit_scn\":\"%s\",\"txSeq\":%d,\"ts_ms\":%d"
            .formatted(commitScn, id, CHANGE_TIME * 1000));
  }

  private void add(String op, long id, String value, String source) {
    String row = "{\"id\":%d,\"v\":\"%s\"}".formatted(id, value);
    String envelope =
        "{\"before\":%s,\"after\":%s,\"op\":\"%s\",\"source\":{\"connector\":\"oracle\",%s}}"
            .formatted(op.equals("d") ? row : "null", op.equals("d") ? "null" : row, op, source);
    log.add(
        new RawRecord(
            new SourceOffset("server.shop.orders", 0, log.size()),
            0,
            "{\"id\":%d}".formatted(id).getBytes(UTF_8),
            envelope.getBytes(UTF_8),
            Map.of()));
  }
}
