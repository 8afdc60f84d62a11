package io.tidemark.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Partitions that a topic had not from the beginning, and what they mean for the others. */
class LatePartitionTest {
  @Test
  void aLatePartitionTakesSnapshotRowsFromWhereAnEpochBegins() {
    PartitionProgress late = PartitionProgress.comingLateAt(4, 2);
    PartitionLedger ledger = new PartitionLedger(late);
    assertThatThrownBy(() -> ledger.rank(row(new Position(9, 9, 0)), 0, 4))
        .isInstanceOf(RankRefused.class)
        .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(4))
        .satisfies(e -> assertThat(((RankRefused) e).inAllPartitions()).isTrue());

    PartitionLedger begun = new PartitionLedger(late.beginning(3, 4));
    assertThat(begun.rank(row(new Position(9, 9, 0)), 0, 4))
        .isEqualTo(new CommitVersion(3, Position.ZERO, CommitVersion.SNAPSHOT, 4));
    // A stream's positions compare with what the others have in their newest epoch.
    assertThat(new PartitionLedger(late).rank(stream(8), 0, 4).epoch()).isEqualTo(2);
  }

  /** A key that moved here may have had a row elsewhere, above all that this partition holds. */
  @Test
  void wherePartitionsWereAddedASnapshotWaitsForAChangeAboveAllThatWasThere() {
    PartitionProgress known = new PartitionProgress(4, 0, new Position(10, 10, 0), 0, Map.of());
    Position elsewhere = new Position(20, 20, 0);
    SourcePosition rows = row(new Position(30, 30, 0));
    SourcePosition byOffset = new SourcePosition.ByOffset();
    PartitionLedger ledger = new PartitionLedger(known, elsewhere);
    ledger.rank(stream(15), 0, 4);
    for (SourcePosition unranked : List.of(rows, byOffset)) {
      assertThatThrownBy(() -> ledger.rank(unranked, 0, 5))
          .isInstanceOf(RankRefused.class)
          .hasMessageStartingWith("partitions came to this topic after the table had been read")
          .satisfies(e -> assertThat(((RankRefused) e).epochAt()).hasValue(5))
          .satisfies(e -> assertThat(((RankRefused) e).inAllPartitions()).isTrue());
    }
    ledger.rank(stream(21), 0, 5);
    CommitVersion ranked = ledger.rank(rows, 0, 6);
    assertThat(ranked.position()).isGreaterThan(elsewhere);

    // A replay gives the rank that it has, and an epoch stands above all of them.
    PartitionLedger replay = new PartitionLedger(ledger.progress(), new Position(40, 40, 0));
    assertThat(replay.rank(rows, 0, 6)).isEqualTo(ranked);
    PartitionLedger begun = new PartitionLedger(known.beginning(1, 4), null);
    assertThat(begun.rank(rows, 0, 4).epoch()).isEqualTo(1);
  }

  /** A version of the user's own says its order in any partition, the lowest one too. */
  @Test
  void versionsOfTheUsersOwnNeedNoPlace() {
    SourcePosition own = new SourcePosition.Given(Position.ZERO);
    PartitionLedger late = new PartitionLedger(PartitionProgress.comingLateAt(0, 0));
    assertThat(late.rank(own, 0, 0).position()).isEqualTo(Position.ZERO);

    PartitionProgress known = new PartitionProgress(4, 0, Position.ZERO, 0, Map.of());
    PartitionLedger before = new PartitionLedger(known, new Position(20, 20, 0));
    assertThat(before.rank(own, 0, 4).position()).isEqualTo(Position.ZERO);
  }

  /** Keys of it come from elsewhere again where more partitions are added. */
  @Test
  void aLatePartitionWaitsLikeTheOthersForWhatCameAfterIt() {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.comingLateAt(0, 0));
    ledger.rank(stream(10), 0, 0);
    ledger.passed(0);

    PartitionLedger again = new PartitionLedger(ledger.progress(), new Position(20, 20, 0));
    assertThatThrownBy(() -> again.rank(row(new Position(30, 30, 0)), 0, 1))
        .hasMessageStartingWith("partitions came to this topic after the table had been read");
    again.rank(stream(21), 0, 1);
    again.rank(row(new Position(30, 30, 0)), 0, 2);
  }

  @Test
  void theFirstChangeThatIsStreamedIntoItIsKept() {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.comingLateAt(0, 0));
    // One that was open at a snapshot may have a position from before the partition came.
    ledger.rank(new SourcePosition.Opening(new Position(5, 5, 0), null), 0, 0);
    assertThat(above(ledger.progress())).isEqualTo(Position.ZERO);
    ledger.rank(stream(10), 0, 1);
    ledger.rank(stream(11), 0, 2);
    assertThat(above(ledger.progress())).isEqualTo(new Position(10, 10, 0));

    // Whoever reads on, reads again, or has not read so far, learns nothing else.
    PartitionLedger on = new PartitionLedger(ledger.progress());
    on.rank(stream(10), 0, 1);
    on.rank(stream(12), 0, 3);
    PartitionProgress unread = PartitionProgress.comingLateAt(0, 0);
    assertThat(above(on.progress().merge(unread))).isEqualTo(new Position(10, 10, 0));
    assertThat(above(unread.merge(on.progress()))).isEqualTo(new Position(10, 10, 0));
    assertThat(above(unread.merge(unread))).isEqualTo(Position.ZERO);
    assertThat(above(PartitionProgress.startingAt(0))).isEqualTo(Position.ZERO);
  }

  /** The next change is above what keys had elsewhere as the first one was. */
  @Test
  void whereAnEarlierBuildKeptNoneTheNextOneIs() {
    Map<Position, Position> cameLate = Map.of(new Position(0, 0, 2), Position.ZERO);
    PartitionProgress earlier = new PartitionProgress(9, 0, new Position(50, 50, 0), 0, cameLate);
    PartitionLedger ledger = new PartitionLedger(earlier);
    ledger.rank(stream(40), 0, 3); // read again
    assertThat(above(ledger.progress())).isEqualTo(Position.ZERO);
    ledger.rank(stream(60), 0, 9);
    assertThat(above(ledger.progress().merge(earlier))).isEqualTo(new Position(60, 60, 0));
  }

  private static Position above(PartitionProgress partition) {
    return partition.last().aboveFormerPlaces();
  }

  private static SourcePosition stream(long lsn) {
    return new SourcePosition.Stream(new Position(lsn, lsn, 0));
  }

  private static SourcePosition row(Position snapshot) {
    return new SourcePosition.Snapshot(snapshot);
  }
}
