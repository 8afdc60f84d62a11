package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AcceptedReplayTest {
  private static final TopicPartition P0 = new TopicPartition("orders", 0);
  private static final TopicPartition P1 = new TopicPartition("orders", 1);
  private static final LocalDate HORIZON = LocalDate.of(2026, 9, 1);
  private static final Retention DAYS = new Retention(3);

  private final InMemoryLedger ledger = new InMemoryLedger();

  @Test
  void everyCommitSaysWhereItBeganUntilOneIsThrough() throws IOException {
    CommitSequence replay = begun(Map.of(P0, 3L, P1, 50L));
    assertThat(reads(replay, 1, read(P0, 9))).isEqualTo(Map.of(P0, 3L));

    CommitSequence restored = CommitSequence.restore(ledger, "job-2", DAYS, replay.save());
    assertThat(reads(restored, 2, read(P0, 19))).isEqualTo(Map.of(P0, 3L));
    assertThat(reads(restored, 3, read(P0, 20))).isEmpty();
  }

  /** What comes next may have been read when a checkpoint before it completes. */
  @Test
  void aCommitIsThroughByItsOwnBarrier() {
    CommitSequence replay = begun(Map.of(P0, 3L, P1, 50L));
    replay.close(1, "c1", List.of(), recorded(Map.of()).progress());
    replay.read(read(P0, 20));
    replay.close(2, "c2", List.of(), recorded(Map.of()).progress());

    replay.commit(1, true);
    assertThat(ledger.last().replay()).isEqualTo(Map.of(P0, 3L));
    assertThat(replay.isDue(2, false)).as("nobody is to type it again").isTrue();
    replay.commit(2, false);
    assertThat(ledger.last().replay()).isEmpty();
    replay.close(3, "c3", List.of(), recorded(Map.of()).progress());
    assertThat(replay.isDue(3, false)).isFalse();
  }

  @Test
  void whoIsNoSuchReplayCarriesItOn() {
    ledger.records.add(recorded(Map.of(P0, 3L)));
    CommitSequence other = new CommitSequence(ledger, "epoch --begin", DAYS, "c0");
    assertThat(reads(other, 1, read(P0, 99))).isEqualTo(Map.of(P0, 3L));
  }

  @Test
  void aTopicThatWasCreatedAnewHasNone() {
    ledger.records.add(recorded(Map.of(P0, 3L)));
    CommitSequence other = new CommitSequence(ledger, "epoch --begin", DAYS, "c0");
    other.close(
        1,
        "c1",
        List.of(),
        new Progress(
            Map.of(P0, PartitionProgress.startingAt(0, 1)), Map.of("orders", "new"), Set.of()));
    other.commit(1, true);
    assertThat(ledger.last().replay()).isEmpty();
  }

  @Test
  void itMakesGoodAnEarlierOneToo() {
    AcceptedReplay replay =
        AcceptedReplay.of(recorded(Map.of(P0, 7L, P1, 50L)), Map.of(P0, 3L, P1, 50L));

    assertThat(replay.from()).isEqualTo(Map.of(P0, 3L, P1, 50L));
    assertThat(replay.left()).isEqualTo(Map.of(P0, 20L));
    assertThat(replay.recorded(Map.of(P0, 7L, P1, 50L), false)).isEqualTo(replay.from());
    assertThat(replay.recorded(replay.from(), true)).isEmpty();
  }

  /** Offset 19 is a mark, and so is all of the other partition that would be read again. */
  @Test
  void itIsThroughBehindTheLastRecordThatThereIs() {
    ledger.records.add(recorded(Map.of()));
    CommitSequence replay = new CommitSequence(ledger, "job-1", DAYS, "c0");
    AcceptedReplay planned = AcceptedReplay.of(ledger.last(), Map.of(P0, 3L, P1, 49L));
    replay.begin(planned.upTo(Map.of(P0, 19L)));

    assertThat(reads(replay, 1, read(P0, 18))).isEqualTo(Map.of(P0, 3L, P1, 49L));
    assertThat(reads(replay, 2, read(P0, 19))).isEmpty();
    assertThat(planned.upTo(Map.of()).isUnderWay()).isFalse();
  }

  @Test
  void whereNothingIsForgottenThereIsNone() {
    CommitRecord all = recorded(null, Map.of());
    assertThat(AcceptedReplay.of(all, Map.of(P0, 3L))).isEqualTo(AcceptedReplay.NONE);
    assertThat(AcceptedReplay.of(null, Map.of(P0, 3L))).isEqualTo(AcceptedReplay.NONE);
    assertThat(AcceptedReplay.of(recorded(Map.of()), Map.of(P0, 20L, P1, 50L)).isUnderWay())
        .as("a start from the record")
        .isFalse();
  }

  @Test
  void aStartThatLeavesItIsRefused() {
    Map<TopicPartition, Long> underWay = Map.of(P1, 4L, P0, 3L);
    assertThatThrownBy(() -> check(underWay, 3, 4, false, Map.of()))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "Table shop.orders is in the middle of a replay that takes unknown keys for new ones"
                + " (--accept-horizon): orders-0 from offset 3, orders-1 from offset 4. Rows of"
                + " forgotten keys are in the table until it is through. Type it again: ./tidemark"
                + " run -c FILE --from orders:0=3,orders:1=4 --accept-horizon");
    assertThatThrownBy(() -> check(underWay, 3, 5, true, Map.of()))
        .isInstanceOf(RefusedException.class);
    assertThatCode(() -> check(underWay, 2, 4, true, Map.of())).doesNotThrowAnyException();
    assertThatCode(() -> check(Map.of(), 9, 9, false, Map.of())).doesNotThrowAnyException();
  }

  /** Nothing of the other partition was read that the replay could read again. */
  @Test
  void anAcceptedGapAboveTheRecordLeavesNothingOutThatIsReadTogether() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(0, 90), P1, new Range(80, 90));
    StartOffsets.Start start =
        StartOffsets.choose(kafka, Map.of(P0, 20L, P1, 50L), Map.of(P0, 0L, P1, 80L), true);
    Progress recorded =
        new Progress(
            Map.of(P0, PartitionProgress.startingAt(20), P1, PartitionProgress.startingAt(50)));

    assertThatCode(
            () ->
                AcceptedReplay.checkTogether(
                    "t", recorded, start.offsets(), Map.of(P0, 0L, P1, 50L), true))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                AcceptedReplay.checkTogether(
                    "t", recorded, start.offsets(), Map.of(P0, 0L, P1, 49L), true))
        .hasMessageContaining("orders-1: offset 80 is wanted, it needs 49")
        .hasMessageEndingWith("orders:0=0,orders:1=49 --accept-horizon --accept-gap");
  }

  @Test
  void whatKafkaHasLostOfItMayBeAccepted() {
    Map<TopicPartition, Range> kafka = Map.of(P0, new Range(5, 90), P1, new Range(0, 90));
    Map<TopicPartition, Long> underWay = Map.of(P0, 3L);
    assertThatCode(() -> check(underWay, 5, 50, true, kafka)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(underWay, 6, 50, true, kafka))
        .isInstanceOf(RefusedException.class);
  }

  private static void check(
      Map<TopicPartition, Long> underWay,
      long from0,
      long from1,
      boolean accepts,
      Map<TopicPartition, Range> accepted) {
    AcceptedReplay.check("shop.orders", underWay, Map.of(P0, from0, P1, from1), accepts, accepted);
  }

  private CommitSequence begun(Map<TopicPartition, Long> start) {
    ledger.records.add(recorded(Map.of()));
    CommitSequence replay = new CommitSequence(ledger, "job-1", DAYS, "c0");
    replay.begin(AcceptedReplay.of(ledger.last(), start));
    return replay;
  }

  private Map<TopicPartition, Long> reads(CommitSequence job, long checkpoint, Progress read) {
    job.read(read);
    job.close(checkpoint, "c" + checkpoint, List.of(), recorded(Map.of()).progress().merge(read));
    job.commit(checkpoint, true);
    return ledger.last().replay();
  }

  private static Progress read(TopicPartition tp, long next) {
    return new Progress(Map.of(tp, PartitionProgress.startingAt(0).skippingTo(next)));
  }

  private static CommitRecord recorded(Map<TopicPartition, Long> replay) {
    return recorded(HORIZON, replay);
  }

  private static CommitRecord recorded(
      @Nullable LocalDate horizon, Map<TopicPartition, Long> replay) {
    return new CommitRecord(
        "c0",
        null,
        "job-0",
        1,
        new Progress(
            read(P0, 20).merge(read(P1, 50)).partitions(), Map.of("orders", "old"), Set.of()),
        BatchStats.NONE,
        null,
        horizon,
        replay);
  }
}
