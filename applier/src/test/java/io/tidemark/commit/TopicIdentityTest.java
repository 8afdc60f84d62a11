package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.StartOffsets.Range;
import io.tidemark.failure.RefusedException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TopicIdentityTest {
  private static final Progress RECORDED = new Progress(Map.of(), Map.of("orders", "A"), Set.of());

  @Test
  void theSameTopicGoesOn() {
    assertThatCode(() -> TopicIdentity.check("shop.orders", "orders", "A", RECORDED))
        .doesNotThrowAnyException();
  }

  @Test
  void anotherTopicOfTheSameNameIsRefusedWithBothIds() {
    assertThatThrownBy(() -> TopicIdentity.check("shop.orders", "orders", "B", RECORDED))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "Table shop.orders: Topic orders has the id B, the table's record names A: the topic was"
                + " deleted and created anew, or this is another cluster. The recorded offsets mean"
                + " nothing in it. Nothing was read. If this is another cluster, correct"
                + " kafka.bootstrap.servers. If the topic was created anew, have the source take a"
                + " new snapshot into it, and begin an epoch with it: ./tidemark epoch -c FILE --begin"
                + " orders:0=0 --all. Or name a new table in its route");
  }

  @Test
  void recordsAndBrokersWithoutIdsGoOn() {
    assertThat(TopicIdentity.problem("orders", "B", Progress.NONE)).isNull();
    assertThat(TopicIdentity.problem("orders", null, RECORDED)).isNull();
    assertThat(TopicIdentity.problem("customers", "B", RECORDED)).isNull();
  }

  /** Why there is an id at all: the new topic only has to be longer than the old one was. */
  @Test
  void offsetsAloneDoNotTellATopicThatWasCreatedAnew() {
    TopicPartition p0 = new TopicPartition("orders", 0);
    assertThat(
            StartOffsets.choose(Map.of(p0, new Range(0, 9)), Map.of(p0, 5L), Map.of(p0, 5L), false)
                .offsets())
        .containsEntry(p0, 5L);
  }

  @Test
  void idsAreCarriedForward() {
    Progress merged = new Progress(Map.of()).merge(RECORDED);
    assertThat(merged.topicIds()).isEqualTo(Map.of("orders", "A"));
    assertThat(RECORDED.merge(Progress.NONE).topicIds()).isEqualTo(Map.of("orders", "A"));
  }
}
