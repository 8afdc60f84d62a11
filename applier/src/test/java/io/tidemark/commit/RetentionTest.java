package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetentionTest {
  private static final long DAY = 86_400_000_000L;
  private static final Retention TWO_DAYS = new Retention(2);

  @Test
  void theSlowestPartitionDecides() {
    assertThat(TWO_DAYS.horizon(reached(DAY * 9 + 5, DAY * 6), Set.of(), null)).isEqualTo(day(4));
    assertThat(TWO_DAYS.horizon(reached(DAY * 6 - 1), Set.of(), null)).isEqualTo(day(3));
    assertThat(TWO_DAYS.horizon(reached(-1), Set.of(), null)).isEqualTo(day(-3));
  }

  @Test
  void aPartitionWithoutStreamedChangesHoldsItBack() {
    assertThat(TWO_DAYS.horizon(reached(DAY * 9, Long.MIN_VALUE), Set.of(), null)).isNull();
    assertThat(TWO_DAYS.horizon(reached(DAY * 9, Long.MIN_VALUE), Set.of(), day(4)))
        .isEqualTo(day(4));
    assertThat(TWO_DAYS.horizon(Progress.NONE, Set.of(), day(4))).isEqualTo(day(4));
  }

  @Test
  void aPartitionThatTheStateDoesNotKnowHoldsItBackUntilItIsRead() {
    Progress old = reached(DAY * 9);
    Progress both = reached(DAY * 9, DAY * 7);
    Set<TopicPartition> planned = both.partitions().keySet();

    assertThat(TWO_DAYS.horizon(old, planned, null)).isNull();
    assertThat(TWO_DAYS.horizon(old, planned, day(4))).isEqualTo(day(4));
    assertThat(TWO_DAYS.horizon(both, planned, day(4))).isEqualTo(day(5));
    // One that came after the plan counts once it is read.
    assertThat(TWO_DAYS.horizon(both, old.partitions().keySet(), null)).isEqualTo(day(5));
  }

  @Test
  void itNeverMovesBack() {
    assertThat(new Retention(30).horizon(reached(DAY * 40), Set.of(), day(20))).isEqualTo(day(20));
    assertThat(new Retention(30).horizon(reached(DAY * 60), Set.of(), day(20))).isEqualTo(day(30));
  }

  @Test
  void timesAtTheEndsOfTheNumbersDoNoHarm() {
    assertThat(new Retention(36_500).horizon(reached(Long.MIN_VALUE + 1), Set.of(), null)).isNull();
    LocalDate last = new Retention(1).horizon(reached(Long.MAX_VALUE), Set.of(), null);
    assertThat(Retention.micros(last)).isPositive();
    assertThat(Retention.forgottenAt(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void deletesAreForgottenADayBeforeTheHorizon() {
    long before = Retention.forgottenBefore(Retention.micros(day(4)));

    assertThat(before).isEqualTo(DAY * 3);
    assertThat(Retention.forgottenAt(DAY * 3 - 1)).isEqualTo(DAY * 3);
    assertThat(Retention.forgottenAt(DAY * 3)).isEqualTo(DAY * 4);
    assertThat(Retention.forgottenBefore(Retention.NONE)).isEqualTo(Retention.NONE);
    assertThat(Retention.micros(null)).isEqualTo(Retention.NONE);
  }

  private static LocalDate day(long day) {
    return LocalDate.ofEpochDay(day);
  }

  private static Progress reached(long... micros) {
    Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();
    for (long time : micros) {
      partitions.put(
          new TopicPartition("orders", partitions.size()),
          new PartitionProgress(1, 0, Position.ZERO, time, Map.of()));
    }
    return new Progress(partitions);
  }
}
