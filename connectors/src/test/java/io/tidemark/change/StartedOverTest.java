package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** A source whose positions start over, and where the message says that they did. */
class StartedOverTest {
  private static final long MINUTE = 60_000_000L;

  @Test
  void positionsThatStartOverAreRefusedAndNothingIsRemembered() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    assertThat(ledger.rank(stream(50), 10_000_000, 1).position())
        .isEqualTo(new Position(50, 50, 0));
    ledger.passed(1);
    PartitionProgress before = ledger.progress();

    assertThatThrownBy(() -> ledger.rank(stream(50), 10_000_001, 2))
        .isInstanceOf(RankRefused.class)
        .hasMessage(
            "position 0000000000000032.0000000000000032.0000000000000000 is below"
                + " 0000000000000064.0000000000000064.0000000000000000, already seen in this partition,"
                + " but its source time 1970-01-01T00:00:10.000001Z is newer than 1970-01-01T00:00:00Z:"
                + " the source's positions started over (fail-over, restore or a new server) at offset"
                + " 1")
        .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(1));
    assertThat(ledger.progress()).isEqualTo(before);
  }

  @Test
  void theNewStartIsTheFirstRecordThatIsLowerAndNewer() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    ledger.rank(stream(40), 1, 1); // a stray: what stands is reached again
    ledger.rank(stream(100), 0, 2);
    ledger.rank(stream(60), 0, 3); // a copy
    ledger.rank(stream(50), 1, 4);

    assertThatThrownBy(() -> ledger.rank(stream(51), MINUTE, 5))
        .hasMessageEndingWith("at offset 4")
        .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(4))
        .satisfies(e -> assertThat(((RankRefused) e).inAllPartitions()).isFalse());
  }

  /** Within the tolerance nothing is refused yet, and the job may start anew. */
  @Test
  void theNewStartIsToldAlsoByWhoeverGoesOnAboveIt() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    ledger.rank(stream(40), 1, 1); // a stray: what stands is reached again
    ledger.rank(stream(100), 0, 2);
    ledger.rank(stream(50), 1, 3);
    ledger.rank(stream(51), 2, 4);
    ledger.passed(4);

    // Also where it reads once more what it knows, the high water among it.
    for (int from : List.of(0, 2, 5)) {
      PartitionLedger again = new PartitionLedger(ledger.progress());
      for (int offset = from; offset < 5; offset++) {
        long position = List.of(100L, 40L, 100L, 50L, 51L).get(offset);
        again.rank(stream(position), List.of(0, 1, 0, 1, 2).get(offset), offset);
      }
      again.rank(stream(52), 3, 5);
      assertThatThrownBy(() -> again.rank(stream(53), MINUTE, 6))
          .hasMessageEndingWith("at offset 3")
          .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(3));
    }
    // Above the high water it was none, and nothing of it is kept.
    PartitionLedger higher = new PartitionLedger(ledger.progress());
    higher.rank(stream(101), 3, 5);
    higher.passed(5);
    assertThat(higher.progress().last().generations()).isEmpty();
    PartitionLedger last = new PartitionLedger(ledger.progress().merge(higher.progress()));
    assertThatThrownBy(() -> last.rank(stream(53), MINUTE, 6)).hasMessageEndingWith("at offset 6");
  }

  /** Rows of an incremental snapshot raise the high water too. */
  @Test
  void whatAnIncrementalSnapshotRoseAboveIsForgottenByAll() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    ledger.rank(stream(50), 1, 1);
    ledger.rank(new SourcePosition.Incremental(new Position(200, 0, 0)), 2, 2);
    ledger.passed(2);
    for (PartitionLedger each : List.of(ledger, new PartitionLedger(ledger.progress()))) {
      assertThatThrownBy(() -> each.rank(stream(60), MINUTE, 3))
          .hasMessageEndingWith("at offset 3");
    }
  }

  /** Where the high water stands for long, and is reached again and again. */
  @Test
  void noMoreThanTheLastSignsAreKept() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 0, 0);
    PartitionProgress known = ledger.progress();
    for (int offset = 1; offset < 100; offset += 2) {
      ledger.rank(stream(50), 1, offset);
      known = known.merge(ledger.progress());
      ledger.rank(stream(100), 0, offset + 1);
      known = known.merge(ledger.progress());
    }
    ledger.rank(stream(50), 1, 101);
    ledger.passed(101);
    known = known.merge(ledger.progress());
    assertThat(known.last().generations()).hasSize(2);
    PartitionLedger again = new PartitionLedger(known);
    assertThatThrownBy(() -> again.rank(stream(60), MINUTE, 102))
        .hasMessageEndingWith("at offset 101");
  }

  /** A server that was set up in the same way again may take its snapshot at the same position. */
  @Test
  void aSnapshotWithTheNameOfAnEarlierOneIsTold() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    Position name = new Position(100, 100, 0);
    ledger.rank(row(name), MINUTE, 0);
    CommitVersion streamed = ledger.rank(stream(200), 2 * MINUTE, 1);
    ledger.rank(row(name), MINUTE, 2); // a copy
    assertThat(ledger.rank(row(name), 9 * MINUTE, 3)).isLessThan(streamed);
    ledger.rank(row(name), 9 * MINUTE, 4);
    ledger.rank(open(110, 7), 10 * MINUTE, 5);

    assertThatThrownBy(() -> ledger.rank(stream(120), 11 * MINUTE, 6))
        .hasMessageEndingWith(
            "at offset 6. Rows of a snapshot from offset 3 on have the name of an earlier snapshot"
                + " and rank with it: if the new server took it, the epoch must begin there")
        .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(6));
  }

  /** What recovery says of one message from the future. */
  @Test
  void aClockThatWasAheadSilencesTheAlarmUntilAnEpochBegins() {
    PartitionLedger ledger = new PartitionLedger(startingAt(0));
    ledger.rank(stream(100), 1_000_000 * MINUTE, 0);
    ledger.rank(stream(101), MINUTE, 1);
    ledger.passed(1);
    assertThat(ledger.rank(stream(50), 2 * MINUTE, 2)).isNotNull();

    PartitionLedger begun = new PartitionLedger(ledger.progress().beginning(1, 2));
    begun.rank(stream(102), MINUTE, 2);
    assertThatThrownBy(() -> begun.rank(stream(50), 2 * MINUTE, 3)).isInstanceOf(RankRefused.class);
  }

  private static SourcePosition stream(long lsn) {
    return new SourcePosition.Stream(new Position(lsn, lsn, 0));
  }

  private static SourcePosition row(Position snapshot) {
    return new SourcePosition.Snapshot(snapshot);
  }

  private static PartitionProgress startingAt(long offset) {
    return PartitionProgress.startingAt(offset);
  }

  private static SourcePosition open(long lsn, long transaction) {
    return new SourcePosition.Opening(new Position(lsn, lsn, 0), transaction);
  }
}
