package io.tidemark.debezium;

import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.CommitVersion;
import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.RankRefused;
import io.tidemark.debezium.DecodeResult.Decoded;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Corpora pg-interleaved and pg-resnapshot at once: a transaction that was open at a second
 * snapshot.
 */
class OpenTransactionTest {
  private static final String NONE = "null";
  private static final long UNKNOWN = -1;

  private final EnvelopeDecoder decoder = decoder(DecoderSettings.DEFAULTS, "id*: long");
  private PartitionLedger ledger = new PartitionLedger(PartitionProgress.startingAt(0));

  @Test
  void itBeatsTheSnapshotsRows() {
    beforeTheSnapshot();
    CommitVersion row = rank(2, "r", 530, NONE, 0, 0);

    CommitVersion open = rank(3, "u", 505, NONE, 77, 30);

    assertThat(open).isGreaterThan(row);
  }

  @Test
  void itsChangesKeepTheirOrder() {
    beforeTheSnapshot();
    CommitVersion first = rank(2, "u", 505, NONE, 77, 30);
    CommitVersion second = rank(3, "u", 506, NONE, 77, 30);

    assertThat(second).isGreaterThan(first);
  }

  @Test
  void theNextTransactionBeatsIt() {
    beforeTheSnapshot();
    CommitVersion open = rank(2, "u", 505, NONE, 77, 30);

    assertThat(rank(3, "u", 590, "600", 78, 40)).isGreaterThan(open);
  }

  @Test
  void aReplayGivesItTheSameVersion() {
    beforeTheSnapshot();
    CommitVersion open = rank(2, "u", 505, NONE, 77, 30);
    CommitVersion next = rank(3, "u", 590, "600", 78, 40);

    ledger = new PartitionLedger(ledger.progress());
    beforeTheSnapshot();

    assertThat(rank(2, "u", 505, NONE, 77, 30)).isEqualTo(open);
    assertThat(rank(3, "u", 590, "600", 78, 40)).isEqualTo(next);
    assertThat(rank(4, "u", 505, NONE, 77, 30)).isEqualTo(open.atOffset(4));
  }

  /** A connector that lost its offsets sends a suffix again, without what committed before it. */
  @Test
  void anOldTransactionThatComesAgainWithoutItsPredecessorBeatsNothing() {
    rank(0, "u", 470, "460", 70, 10);
    CommitVersion later = rank(1, "u", 480, "510", 71, 20);

    assertThat(rank(2, "u", 470, NONE, 70, 10)).isLessThan(later);
  }

  /** Where it stands could not be kept, so that a replay would put it elsewhere. */
  @Test
  void withoutItsNumberItIsRefusedWhereItWouldLose() {
    beforeTheSnapshot();
    rank(2, "r", 530, NONE, 0, 0);

    assertThatThrownBy(() -> rank(3, "u", 505, NONE, UNKNOWN, 30))
        .isInstanceOf(RankRefused.class)
        .hasMessageContaining("kept only by source.txId, which is missing")
        .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(3));
  }

  @Test
  void withoutItsNumberItStandsWhereItsPositionIsRight() {
    // After the first snapshot nothing was streamed that it could stand below.
    CommitVersion row = rank(0, "r", 530, NONE, 0, 0);
    CommitVersion open = rank(1, "u", 505, NONE, UNKNOWN, 30);
    assertThat(open).isGreaterThan(row);
    // A copy has its old time, and what lies above all that was read needs no help.
    assertThat(rank(2, "u", 505, NONE, UNKNOWN, 30)).isEqualTo(open.atOffset(2));
    assertThat(rank(3, "u", 700, NONE, UNKNOWN, 40)).isGreaterThan(open);
    // In a replay it has the version that it had.
    ledger = new PartitionLedger(ledger.progress());
    assertThat(rank(1, "u", 505, NONE, UNKNOWN, 30)).isEqualTo(open);
  }

  /** In it everything ranks above what was there before. */
  @Test
  void anEpochPlacesATransactionWithoutNumber() {
    beforeTheSnapshot();
    CommitVersion row = rank(2, "r", 530, NONE, 0, 0);
    ledger = new PartitionLedger(ledger.progress().beginning(1, 3));
    CommitVersion open = rank(3, "u", 505, NONE, UNKNOWN, 30);
    assertThat(List.of(row, open, rank(4, "u", 590, "600", UNKNOWN, 40))).isSorted();
  }

  /** Wrote at 505 while 510 and 520 committed, committed itself at 600. */
  private void beforeTheSnapshot() {
    rank(0, "c", 500, "450", 70, 10);
    rank(1, "u", 480, "510", 71, 20);
  }

  private CommitVersion rank(
      long offset, String op, long lsn, String lastCommit, long transaction, long seconds) {
    String before = lastCommit.equals(NONE) ? NONE : "\\\"" + lastCommit + "\\\"";
    String source =
        "{\"connector\":\"postgresql\",\"snapshot\":\""
            + (op.equals("r") ? "last" : "false")
            + "\",\"sequence\":\"["
            + before
            + ",\\\""
            + lsn
            + "\\\"]\",\"ts_us\":"
            + seconds * 1_000_000
            + (transaction == UNKNOWN ? "" : ",\"txId\":" + transaction)
            + ",\"lsn\":"
            + lsn
            + "}";
    Decoded decoded =
        (Decoded) decoder.decode(record("{\"id\":1}", envelope(op, "{\"id\":1}", source)));
    CommitVersion version = ledger.rank(decoded.source(), decoded.sourceTimeMicros(), offset);
    ledger.passed(offset);
    return version;
  }
}
