package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartOffsetsTest {
  private static final TopicPartition P0 = new TopicPartition("orders", 0);
  private static final TopicPartition P1 = new TopicPartition("orders", 1);

  @Test
  void aNewTableStartsWhereItIsWanted() {
    assertThat(
            StartOffsets.choose(Map.of(P0, new Range(0, 9)), null, Map.of(P0, 4L), false).offsets())
        .containsExactly(Map.entry(P0, 4L));
  }

  @Test
  void theSmallerOfWantedAndRecordedIsRead() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(0, 9), P1, new Range(0, 9));

    assertThat(
            StartOffsets.choose(kafka, Map.of(P0, 5L, P1, 5L), Map.of(P0, 2L, P1, 5L), false)
                .offsets())
        .containsExactly(Map.entry(P0, 2L), Map.entry(P1, 5L));
  }

  @Test
  void aPartitionThatIsNewerThanTheRecordIsReadWhole() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(0, 9), P1, new Range(0, 9));

    assertThat(StartOffsets.choose(kafka, Map.of(P0, 5L), Map.of(P0, 5L, P1, 9L), false).offsets())
        .containsEntry(P1, 0L);
  }

  @Test
  void aPartitionThatIsNewerThanTheRecordLacksWhatKafkaLostOfItsBeginning() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(0, 9), P1, new Range(3, 9));

    assertThatThrownBy(() -> StartOffsets.choose(kafka, Map.of(P0, 5L), Map.of(P0, 5L), false))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            """
            Starting here would leave records out:
              orders-1: offset 0 is needed, Kafka begins at 3: offsets 0 to 2 are gone
            Marks of transactions and what was aborted have offsets too; whether these were records cannot be told any more
            To go on without them, and have the gap written into the table's record, add --accept-gap""");
    StartOffsets.Start accepted =
        StartOffsets.choose(kafka, Map.of(P0, 5L), Map.of(P0, 5L, P1, 9L), true);
    assertThat(accepted.offsets()).isEqualTo(Map.of(P0, 5L, P1, 3L));
    assertThat(accepted.gaps()).containsExactly(new Gap(P1, 0, 2));
  }

  /** Nothing was promised yet: what Kafka had before is not the table's. */
  @Test
  void aNewTableBeginsWhereKafkaBegins() {
    StartOffsets.Start start =
        StartOffsets.choose(Map.of(P0, new Range(7, 9)), null, Map.of(P0, 7L), false);

    assertThat(start.offsets()).isEqualTo(Map.of(P0, 7L));
    assertThat(start.gaps()).isEmpty();
  }

  @Test
  void everythingThatWouldBeLeftOutIsNamedAtOnce() {
    Map<TopicPartition, Range> kafka =
        Map.of(
            P0,
            new Range(7, 9),
            P1,
            new Range(0, 4),
            new TopicPartition("orders", 2),
            new Range(0, 9));
    TopicPartition gone = new TopicPartition("orders", 3);
    TopicPartition p2 = new TopicPartition("orders", 2);

    assertThatThrownBy(
            () ->
                StartOffsets.choose(
                    kafka,
                    Map.of(P0, 5L, P1, 6L, p2, 3L, gone, 1L),
                    Map.of(P0, 5L, P1, 6L, p2, 8L),
                    false))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            """
            Starting here would leave records out:
              orders-0: offset 5 is needed, Kafka begins at 7: offsets 5 to 6 are gone
              orders-1: the table's record says offset 6, Kafka ends at 4: was the topic deleted and created anew?
              orders-2: offset 8 is wanted, the table's record says 3: offsets 3 to 7 would be left out
              orders-3: the table's record names this partition, Kafka does not have it
            Marks of transactions and what was aborted have offsets too; whether these were records cannot be told any more""");
  }

  @Test
  void anOffsetBeyondTheEndIsRefused() {
    assertThatThrownBy(
            () -> StartOffsets.choose(Map.of(P0, new Range(0, 9)), null, Map.of(P0, 10L), false))
        .hasMessageContaining("orders-0: offset 10 is wanted, Kafka ends at 9");
  }

  @Test
  void whatIsLeftOutOnlyByGapsCanBeAccepted() {
    assertThatThrownBy(
            () -> StartOffsets.choose(Map.of(P0, new Range(7, 9)), Map.of(P0, 5L), Map.of(), false))
        .hasMessage(
            """
            Starting here would leave records out:
              orders-0: offset 5 is needed, Kafka begins at 7: offsets 5 to 6 are gone
            Marks of transactions and what was aborted have offsets too; whether these were records cannot be told any more
            To go on without them, and have the gap written into the table's record, add --accept-gap""");
  }

  @Test
  void acceptedGapsAreNamed() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(7, 9), P1, new Range(0, 9));

    StartOffsets.Start start =
        StartOffsets.choose(kafka, Map.of(P0, 5L, P1, 3L), Map.of(P0, 5L, P1, 8L), true);

    assertThat(start.offsets()).isEqualTo(Map.of(P0, 7L, P1, 8L));
    assertThat(start.gaps()).containsExactly(new Gap(P0, 5, 6), new Gap(P1, 3, 7));
  }

  @Test
  void acceptingGapsMakesNoneWhereNothingIsLeftOut() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(5, 9), P1, new Range(0, 9));

    // A replay from below what Kafka still has: the table stands for all of it already.
    StartOffsets.Start replay =
        StartOffsets.choose(kafka, Map.of(P0, 8L, P1, 3L), Map.of(P0, 2L, P1, 3L), true);

    assertThat(replay.offsets()).isEqualTo(Map.of(P0, 5L, P1, 3L));
    assertThat(replay.gaps()).isEmpty();
  }

  @Test
  void aNewTableMayStartWhereKafkaBegins() {
    StartOffsets.Start start =
        StartOffsets.choose(Map.of(P0, new Range(7, 9)), null, Map.of(P0, 4L), true);

    assertThat(start.offsets()).isEqualTo(Map.of(P0, 7L));
    assertThat(start.gaps()).containsExactly(new Gap(P0, 4, 6));
  }

  @Test
  void offsetsBeyondTheEndAndLostPartitionsCannotBeAccepted() {
    assertThatThrownBy(
            () ->
                StartOffsets.choose(
                    Map.of(P0, new Range(0, 4)), Map.of(P0, 6L, P1, 1L), Map.of(P0, 6L), true))
        .hasMessage(
            """
            Starting here would leave records out:
              orders-0: the table's record says offset 6, Kafka ends at 4: was the topic deleted and created anew?
              orders-1: the table's record names this partition, Kafka does not have it""");
  }

  @Test
  void belowItsOriginATableIsNotRead() {
    TopicPartition tp = new TopicPartition("orders", 0);
    TopicPartition late = new TopicPartition("orders", 1);
    Progress recorded =
        new Progress(
            Map.of(tp, new PartitionProgress(9, 5, Position.ZERO, Long.MIN_VALUE, Map.of())));

    assertThat(StartOffsets.notBelowOrigin(Map.of(tp, 5L, late, 0L), recorded, true))
        .isEqualTo(Map.of(tp, 5L, late, 0L));
    assertThat(StartOffsets.notBelowOrigin(Map.of(tp, 0L), recorded, false))
        .isEqualTo(Map.of(tp, 5L));
    assertThatThrownBy(() -> StartOffsets.notBelowOrigin(Map.of(tp, 4L), recorded, true))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("orders-0: offset 4 is wanted, the table was begun at 5");
  }
}
