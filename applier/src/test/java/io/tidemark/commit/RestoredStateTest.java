package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RestoredStateTest {

  @Test
  void theSameTopicFits() {
    assertThatCode(
            () -> RestoredState.refuseAnotherTopic(of("orders", 0, "a"), of("orders", 50, "a")))
        .doesNotThrowAnyException();
  }

  @Test
  void anIdThatIsNotKnownIsNotCompared() {
    Progress without = new Progress(of("orders", 0, "a").partitions());

    assertThatCode(() -> RestoredState.refuseAnotherTopic(of("orders", 0, "a"), without))
        .doesNotThrowAnyException();
  }

  @Test
  void theStateOfAnotherTopicIsRefused() {
    assertThatThrownBy(
            () -> RestoredState.refuseAnotherTopic(of("orders", 0, "a"), of("items", 5, "b")))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "The state is of a job that reads topic items, this job reads orders. Start without"
                + " state: it goes on from the table's record and loses nothing");
  }

  @Test
  void theStateOfATopicThatWasCreatedAnewIsRefused() {
    assertThatThrownBy(
            () -> RestoredState.refuseAnotherTopic(of("orders", 0, "b"), of("orders", 5, "a")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("Topic orders has the id b, the state names a");
  }

  @Test
  void onlyARunWithAnEndFitsTheStateOfOne() {
    Progress end = of("orders", 50, "a");

    assertThatCode(
            () -> {
              RestoredState.refuseAnotherEnd(end, of("orders", 60, "a"));
              RestoredState.refuseAnotherEnd(Progress.NONE, Progress.NONE);
            })
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> RestoredState.refuseAnotherEnd(end, Progress.NONE))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(
            "The state is of a run without end; this one is to end at orders-0@50. Start without");
    assertThatThrownBy(() -> RestoredState.refuseAnotherEnd(Progress.NONE, end))
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(
            "The state is of a run with --until caught-up, whose readers end at orders-0@50; this"
                + " run has no end. Start without");
  }

  private static Progress of(String topic, long next, String id) {
    return new Progress(
        Map.of(new TopicPartition(topic, 0), PartitionProgress.startingAt(next)),
        Map.of(topic, id),
        Set.of());
  }
}
