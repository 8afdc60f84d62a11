package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.PartitionLedger;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.change.TopicPartition;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What partitions that were added mean for what each partition can rank. */
class ProgressTest {
  private static final TopicPartition OLD = new TopicPartition("orders", 0);
  private static final TopicPartition HIGH = new TopicPartition("orders", 1);
  private static final TopicPartition LATE = new TopicPartition("orders", 2);
  private static final TopicPartition LATER = new TopicPartition("orders", 3);
  private static final PartitionProgress AT_10 = at(10);
  private static final PartitionProgress AT_90 = at(90);

  @Test
  void whereNoneWasAddedNothingMoved() {
    assertThat(new Progress(Map.of(OLD, AT_10, HIGH, AT_90)).formerPlaces(OLD, false)).isNull();
  }

  @Test
  void aKeyMayHaveBeenAnywhereAsLongAsNothingIsStreamedIntoTheNewOnes() {
    Progress two = new Progress(Map.of(OLD, AT_10, HIGH, AT_90));
    assertThat(two.formerPlaces(OLD, true)).isEqualTo(position(90));

    Progress three = new Progress(Map.of(OLD, AT_10, HIGH, AT_90, LATE, late()));
    assertThat(three.formerPlaces(OLD, false)).isEqualTo(position(90));
    assertThat(three.formerPlaces(LATE, false)).isNull();
    Progress four = new Progress(Map.of(OLD, AT_10, HIGH, AT_90, LATE, late(20), LATER, late()));
    assertThat(four.formerPlaces(OLD, false)).isEqualTo(position(90));
    assertThat(four.formerPlaces(LATE, false)).isEqualTo(position(90));
  }

  @Test
  void whatIsStreamedIntoANewOneIsAboveAllFormerPlaces() {
    Progress three = new Progress(Map.of(OLD, AT_10, HIGH, AT_90, LATE, late(20)));
    assertThat(three.formerPlaces(OLD, false)).isEqualTo(position(20));
    assertThat(three.formerPlaces(OLD, true)).isEqualTo(position(90));
    Progress four = new Progress(Map.of(OLD, AT_10, HIGH, AT_90, LATE, late(20), LATER, late(60)));
    assertThat(four.formerPlaces(OLD, false)).isEqualTo(position(60));
    assertThat(four.formerPlaces(LATE, false)).isEqualTo(position(60));
    assertThat(four.formerPlaces(LATER, false)).isEqualTo(position(20));
  }

  @Test
  void anEpochIsAboveAllThatMovedBefore() {
    Progress begun =
        new Progress(
            Map.of(OLD, AT_10.beginning(1, 9), HIGH, AT_90, LATE, late(20).beginning(1, 9)));
    assertThat(begun.formerPlaces(OLD, false)).isNull();
  }

  private static PartitionProgress at(long high) {
    return new PartitionProgress(9, 0, position(high), 0, Map.of());
  }

  /** A late partition that was read, with what was streamed into it. */
  private static PartitionProgress late(long... streamed) {
    PartitionLedger ledger = new PartitionLedger(PartitionProgress.comingLateAt(0, 0));
    for (int offset = 0; offset < 9; offset++) {
      if (offset < streamed.length) {
        ledger.rank(new SourcePosition.Stream(position(streamed[offset])), 0, offset);
      }
      ledger.passed(offset);
    }
    return ledger.progress();
  }

  private static Position position(long number) {
    return new Position(number, 0, 0);
  }
}
