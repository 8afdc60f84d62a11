package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplayHorizonTest {
  private static final TopicPartition P0 = new TopicPartition("orders", 0);
  private static final TopicPartition P1 = new TopicPartition("orders", 1);
  private static final Instant HORIZON = Instant.parse("2026-10-01T00:00:00Z");
  private static final Progress RECORDED =
      new Progress(
          Map.of(
              P0, PartitionProgress.startingAt(0).skippingTo(100),
              P1, PartitionProgress.startingAt(0).skippingTo(100)));

  private static void check(long from0, long from1, long at0, long at1) {
    ReplayHorizon.check(
        "shop.orders", HORIZON, RECORDED, Map.of(P0, from0, P1, from1), Map.of(P0, at0, P1, at1));
  }

  @Test
  void aReplayFromBeforeTheHorizonIsRefusedWithEveryPartition() {
    assertThatThrownBy(() -> check(7, 99, 8, 200))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            """
            Table shop.orders has forgotten keys that were deleted before its horizon \
            2026-10-01T00:00:00Z (tombstones.retention), and the replay begins before it:
              orders-0: offset 7 is wanted, the first that Kafka took after the horizon is 8
              orders-1: offset 99 is wanted, the first that Kafka took after the horizon is 100
            Start after it (--from timestamp=2026-10-01T00:00:00Z), or take unknown keys for new ones \
            (--accept-horizon): rows of forgotten keys then come back until the replay has reached \
            their deletes""");
  }

  @Test
  void aReplayFromAfterItIsNot() {
    assertThatCode(() -> check(8, 99, 8, 50)).doesNotThrowAnyException();
  }

  /** Also where Kafka has nothing from after the horizon at all. */
  @Test
  void whoGoesOnFromTheRecordReplaysNothing() {
    assertThatCode(() -> check(100, 100, 200, 200)).doesNotThrowAnyException();
  }

  @Test
  void aPartitionThatCameLaterIsNotReplayed() {
    assertThatCode(
            () ->
                ReplayHorizon.check(
                    "t",
                    HORIZON,
                    RECORDED,
                    Map.of(new TopicPartition("orders", 2), 0L),
                    Map.of(new TopicPartition("orders", 2), 9L)))
        .doesNotThrowAnyException();
  }
}
