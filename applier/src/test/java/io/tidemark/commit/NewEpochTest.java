package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Epoch;
import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NewEpochTest {
  private static final TopicPartition P0 = new TopicPartition("orders", 0);
  private static final TopicPartition P1 = new TopicPartition("orders", 1);
  private static final TopicPartition P2 = new TopicPartition("orders", 2);
  private static final Map<TopicPartition, Range> KAFKA =
      Map.of(P0, new Range(0, 100), P1, new Range(0, 100), P2, new Range(4, 100));
  private static final PartitionProgress READ =
      new PartitionProgress(50, 0, new Position(9, 9, 9), 7, Map.of());
  private static final Progress RECORDED =
      new Progress(
          Map.of(P0, READ, P1, READ.beginning(1, 50)),
          Map.of("orders", "A"),
          Set.of(gap("orders")));

  @Test
  void itBeginsWhereItIsAskedToAndNowhereElse() {
    NewEpoch epoch = NewEpoch.of(at(Map.of(0, 60L), false), RECORDED, "A", KAFKA);

    assertThat(epoch.begins()).isEqualTo(Map.of(P0, 60L));
    assertThat(epoch.progress())
        .isEqualTo(
            new Progress(
                Map.of(P0, READ.beginning(1, 60), P1, READ.beginning(1, 50)),
                Map.of("orders", "A"),
                Set.of(gap("orders"))));
    assertThat(epoch.progress().wentBackFrom(RECORDED)).isNull();
  }

  /** Keys that move between the partitions later must compare. */
  @Test
  void allPartitionsOfACommandHaveOneNumber() {
    NewEpoch epoch = NewEpoch.of(at(Map.of(0, 60L, 1, 70L), false), RECORDED, "A", KAFKA);

    assertThat(epoch.number()).isEqualTo(2);
    assertThat(epoch.progress().partitions().get(P0).last()).isEqualTo(Epoch.beginning(2, 60));
    assertThat(epoch.progress().partitions().get(P1).epochs())
        .containsExactly(READ.last(), Epoch.beginning(1, 50), Epoch.beginning(2, 70));
  }

  @Test
  void aPartitionThatCameLateBeginsAboveAllOthers() {
    NewEpoch epoch = NewEpoch.of(at(Map.of(2, 4L), true), RECORDED, "A", KAFKA);

    assertThat(epoch.begins()).isEqualTo(Map.of(P0, 50L, P1, 50L, P2, 4L));
    assertThat(epoch.progress().partitions().get(P2))
        .isEqualTo(PartitionProgress.comingLateAt(0, 1).beginning(2, 4));
    assertThat(epoch.progress().wentBackFrom(RECORDED)).isNull();
  }

  /** An epoch reads nothing: what Kafka lost of a beginning is for the next start to refuse. */
  @Test
  void aBeginningThatIsGoneIsNotSkipped() {
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (String id : List.of("A", "B")) {
      NewEpoch.of(at(Map.of(0, id.equals("A") ? 50L : 0L), true), RECORDED, id, KAFKA)
          .progress()
          .partitions()
          .forEach((tp, progress) -> offsets.put(tp, progress.nextOffset()));

      assertThat(offsets).containsEntry(P2, 0L);
      assertThatThrownBy(() -> StartOffsets.choose(KAFKA, offsets, offsets, false))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(
              "orders-2: offset 0 is needed, Kafka begins at 4: offsets 0 to 3 are gone");
      assertThat(StartOffsets.choose(KAFKA, offsets, offsets, true).gaps())
          .containsExactly(new Gap(P2, 0, 3));
    }
  }

  @Test
  void aTopicThatWasCreatedAnewForgetsTheOldOne() {
    NewEpoch epoch = NewEpoch.of(at(Map.of(0, 0L), true), RECORDED, "B", KAFKA);

    assertThat(epoch.progress())
        .isEqualTo(
            new Progress(
                Map.of(
                    P0, PartitionProgress.startingAt(0, 2),
                    P1, PartitionProgress.startingAt(0, 2),
                    P2, PartitionProgress.startingAt(0, 2)),
                Map.of("orders", "B"),
                Set.of()));
    assertThat(epoch.progress().wentBackFrom(RECORDED)).isNull();
    // Whoever still knows the old one adds nothing to it.
    assertThat(epoch.progress().merge(RECORDED)).isEqualTo(epoch.progress());
    assertThat(RECORDED.merge(epoch.progress())).isEqualTo(epoch.progress());
  }

  @Test
  void everyReasonNotToIsGiven() {
    assertThatThrownBy(
            () ->
                NewEpoch.of(at(Map.of(0, 49L, 1, 101L, 2, 3L, 7, 0L), false), RECORDED, "A", KAFKA))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            """
            No epoch was begun:
              orders-0: offset 49 is wanted, the table has been read up to 50: what was read keeps its \
            place in the order. Begin at offset 50 or above
              orders-1: offset 101 is wanted, Kafka ends at 100
              orders-2: offset 3 is wanted, and nothing was read of this partition, which begins at 4: \
            begin there or above
              orders-7: Kafka has no such partition""");
    assertThatThrownBy(() -> NewEpoch.of(at(Map.of(0, 1L), false), RECORDED, "B", KAFKA))
        .hasMessage(
            """
            No epoch was begun:
              orders-0: offset 1 is wanted, and nothing was read of this partition, which begins at 0: \
            begin there
              orders-1: the topic was created anew, so all of it begins an epoch: add --all
              orders-2: the topic was created anew, so all of it begins an epoch: add --all""");
  }

  @Test
  void aRecordThatForgetsAnEpochOrATopicGoesBack() {
    Progress without = new Progress(Map.of(P0, READ, P1, READ), Map.of("orders", "A"), Set.of());
    assertThat(without.wentBackFrom(RECORDED)).isEqualTo(P1);
    Progress anew =
        new Progress(
            Map.of(P0, PartitionProgress.startingAt(0, 1)), Map.of("orders", "B"), Set.of());
    assertThat(anew.wentBackFrom(RECORDED)).isEqualTo(P0);
    assertThat(new Progress(Map.of(P0, READ)).wentBackFrom(RECORDED)).isEqualTo(P1);
    assertThat(new Progress(Map.of()).wentBackFrom(new Progress(Map.of(P0, READ)))).isEqualTo(P0);
  }

  @Test
  void theCommandIsWhatSomebodyTypes() {
    assertThat(List.of(NewEpoch.command(P2, 17, false), NewEpoch.command(P0, 0, true)))
        .containsExactly(
            "./tidemark epoch -c FILE --begin orders:2=17",
            "./tidemark epoch -c FILE --begin orders:0=0 --all");
  }

  private static NewEpoch.Request at(Map<Integer, Long> offsets, boolean all) {
    return new NewEpoch.Request("orders", new TreeMap<>(offsets), all);
  }

  private static Gap gap(String topic) {
    return new Gap(new TopicPartition(topic, 0), 3, 4);
  }
}
