package io.tidemark.flink;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.InMemoryLedger;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TopicIds;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a record says of partitions whose ends hold no records. */
class EmptyTailsTest {
  private static final TopicPartition IDLE = new TopicPartition("orders", 0);
  private static final TopicPartition BUSY = new TopicPartition("orders", 1);
  private static final long HOUR = 3_600_000;

  private static InMemoryLedger table;
  private static String topicId;
  private static @Nullable Map<TopicPartition, Long> tails;
  private static @Nullable String idAfterwards;
  private static List<Map<TopicPartition, Long>> asked;

  private long checkpoint;

  @BeforeEach
  void begin() {
    table = new InMemoryLedger();
    topicId = "first";
    tails = Map.of();
    idAfterwards = null;
    asked = new ArrayList<>();
  }

  @Test
  void anIdleRecordIsRenewedPastThem() throws Exception {
    try (var job = job(Map.of("orders", "first"), Progress.NONE, null)) {
      close(job, 0, 5, 7);
      tails = Map.of(IDLE, 9L, BUSY, 8L);
      close(job, HOUR - 1, 5, 7);
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 5L, BUSY, 7L));
      close(job, HOUR, 5, 7);
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 9L, BUSY, 8L));
    }
    assertThat(asked).containsExactly(Map.of(IDLE, 5L, BUSY, 7L), Map.of(IDLE, 5L, BUSY, 7L));
  }

  @Test
  void aPartitionMayBeIdleBesideABusyOne() throws Exception {
    try (var job = job(Map.of("orders", "first"), Progress.NONE, null)) {
      close(job, 0, 5, 7);
      tails = Map.of(IDLE, 9L);
      write(job);
      close(job, HOUR, 5, 8);
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 9L, BUSY, 8L));
      write(job);
      close(job, HOUR + 1, 5, 9); // its reader stands where it did, the record does not go back
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 9L, BUSY, 9L));
      write(job);
      close(job, 3 * HOUR, 12, 9);
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 12L, BUSY, 9L));
    }
    assertThat(asked.subList(1, asked.size()))
        .containsExactly(Map.of(IDLE, 5L, BUSY, 8L), Map.of(IDLE, 12L, BUSY, 9L));
  }

  @Test
  void aStateSaysWhereReadersAreAndTheRecordStays() throws Exception {
    tails = Map.of(IDLE, 9L);
    OperatorSubtaskState saved;
    try (var job = job(Map.of("orders", "first"), Progress.NONE, null)) {
      saved = close(job, 0, 5, 7);
    }
    assertThat(recorded()).isEqualTo(Map.of(IDLE, 9L, BUSY, 7L));
    tails = Map.of();
    try (var job = job(Map.of("orders", "first"), Progress.NONE, saved)) {
      write(job);
      close(job, 0, 5, 8);
    }
    assertThat(recorded()).isEqualTo(Map.of(IDLE, 9L, BUSY, 8L));
    assertThat(asked.get(1)).isEqualTo(Map.of(IDLE, 9L, BUSY, 8L));
  }

  @Test
  void endsOfATopicThatWasCreatedAnewMeanwhileAreNotRecorded() throws Exception {
    try (var job = job(Map.of("orders", "first"), Progress.NONE, null)) {
      close(job, 0, 5, 7);
      tails = Map.of(IDLE, 9L);
      idAfterwards = "second";
      assertThatThrownBy(() -> close(job, HOUR, 5, 7))
          .cause()
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("Topic orders has the id second now");
    }
    assertThat(recorded()).isEqualTo(Map.of(IDLE, 5L, BUSY, 7L));
  }

  @Test
  void withoutAnAnswerWhatWasReadIsRecorded() throws Exception {
    tails = null;
    try (var job = job(Map.of("orders", "first"), Progress.NONE, null)) {
      close(job, 0, 5, 7);
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 5L, BUSY, 7L));
      tails = Map.of(IDLE, 9L);
      close(job, 1, 5, 8); // barriers do not wait for an answer at each checkpoint
      close(job, HOUR, 5, 8);
      assertThat(recorded()).isEqualTo(Map.of(IDLE, 9L, BUSY, 8L));
    }
    assertThat(asked).hasSize(2);
  }

  @Test
  void aRunWithAnEndAndATopicWithoutIdDoNotAsk() throws Exception {
    tails = Map.of(IDLE, 9L);
    Progress end = new Progress(Map.of(IDLE, at(6), BUSY, at(7)));
    try (var job = job(Map.of("orders", "first"), end, null)) {
      close(job, 0, 5, 7);
      job.endInput();
      close(job, HOUR, 5, 7);
    }
    assertThat(recorded()).isEqualTo(Map.of(IDLE, 6L, BUSY, 7L));
    table = new InMemoryLedger();
    try (var job = job(Map.of(), Progress.NONE, null)) {
      close(job, 0, 5, 7);
    }
    assertThat(recorded()).isEqualTo(Map.of(IDLE, 5L, BUSY, 7L));
    assertThat(asked).isEmpty();
  }

  /** A checkpoint at a time, after the readers got so far. */
  private OperatorSubtaskState close(
      OneInputStreamOperatorTestHarness<CommitInput, Void> job, long millis, long idle, long busy)
      throws Exception {
    job.setProcessingTime(millis);
    Progress read = new Progress(Map.of(IDLE, at(idle), BUSY, at(busy)));
    job.processElement(new CommitInput.Read(read), 0);
    checkpoint++;
    OperatorSubtaskState saved = job.snapshot(checkpoint, millis);
    job.notifyOfCompletedCheckpoint(checkpoint);
    return saved;
  }

  private void write(OneInputStreamOperatorTestHarness<CommitInput, Void> job) throws Exception {
    WrittenFiles files = new WrittenFiles(List.of("f"), List.of(), List.of(), BatchStats.NONE);
    job.processElement(new CommitInput.BatchClosed(new BatchKey(checkpoint + 1, 0), files), 0);
  }

  private static OneInputStreamOperatorTestHarness<CommitInput, Void> job(
      Map<String, String> ids, Progress end, @Nullable OperatorSubtaskState saved)
      throws Exception {
    CommitRecord last = table.last();
    Progress start = new Progress(Map.of(IDLE, at(0), BUSY, at(0)), ids, Set.of());
    OneInputStreamOperatorTestHarness<CommitInput, Void> harness =
        new OneInputStreamOperatorTestHarness<>(
            new CommitOperator(
                () -> table,
                last == null ? null : last.commitId(),
                new CommitOperator.Source(
                    start, end, AcceptedReplay.NONE, Ids::new, EmptyTailsTest::look, false),
                "job",
                Duration.ofHours(1),
                new Retention(30)));
    harness.setProcessingTime(0);
    if (saved != null) {
      harness.initializeState(saved);
    }
    harness.open();
    return harness;
  }

  /** What Kafka would answer. */
  private static Map<TopicPartition, Long> look(Map<TopicPartition, Long> from) {
    asked.add(new TreeMap<>(from));
    if (idAfterwards != null) {
      topicId = idAfterwards;
    }
    if (tails == null) {
      throw new UnavailableException("no answer", new TimeoutException());
    }
    return tails;
  }

  private static final class Ids implements TopicIds {
    @Override
    public String now(String topic) {
      return topicId;
    }

    @Override
    public int partitions(String topic) {
      throw new AssertionError("positions order the changes");
    }

    @Override
    public void close() {}
  }

  private static PartitionProgress at(long offset) {
    return PartitionProgress.startingAt(0).skippingTo(offset);
  }

  private static Map<TopicPartition, Long> recorded() {
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    requireNonNull(table.last())
        .progress()
        .partitions()
        .forEach((tp, known) -> offsets.put(tp, known.nextOffset()));
    return offsets;
  }
}
