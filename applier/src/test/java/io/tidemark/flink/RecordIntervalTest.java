package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.TopicIds;
import io.tidemark.commit.WrittenFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When offsets are recorded that moved without changes. */
class RecordIntervalTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final long HOUR = 3_600_000;
  private static final long MINUTE = HOUR / 60;

  private final Recorded table = new Recorded();
  private long checkpoint;

  @Test
  void anIdleTablesRecordIsRenewedOnceAnInterval() throws Exception {
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1); // a start counts as due
      idle(harness, HOUR - 1, 2, 3);
      idle(harness, HOUR, 4, 5);
      idle(harness, 2 * HOUR - 1, 6);
      idle(harness, 5 * HOUR, 7, 8);

      assertThat(table.offsets()).containsExactly(1L, 4L, 7L);
    }
  }

  @Test
  void offsetsThatDoNotMoveAreNotRecordedAgain() throws Exception {
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      idle(harness, 2 * HOUR, 1, 1);
      idle(harness, 2 * HOUR + MINUTE, 2);

      assertThat(table.offsets()).containsExactly(1L, 2L);
    }
  }

  /** Asking is a request to the catalog, and one to Kafka. */
  @Test
  void theTableIsNotAskedAtEveryCheckpointWhileOffsetsDoNotMove() throws Exception {
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      int before = table.asked;
      for (int millis = 0; millis < MINUTE; millis += 1_000) {
        idle(harness, 2 * HOUR + millis, 1);
      }
      assertThat(table.asked).isEqualTo(before + 1);
      idle(harness, 2 * HOUR + MINUTE, 1);
      assertThat(table.asked).isEqualTo(before + 2);
      changed(harness, 9); // changes do not wait
      idle(harness, 2 * HOUR + MINUTE, 2);
      assertThat(table.offsets()).containsExactly(1L, 2L);
    }
  }

  @Test
  void aCommitWithChangesCountsAsARenewal() throws Exception {
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      changed(harness, 2);
      idle(harness, HOUR - 1, 2);
      idle(harness, 2 * HOUR - 2, 3);
      idle(harness, 2 * HOUR - 1, 4);

      assertThat(table.offsets()).containsExactly(1L, 2L, 4L);
    }
  }

  @Test
  void theEndOfABoundedRunIsRecorded() throws Exception {
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      idle(harness, 1, 2);
      harness.endInput();
      idle(harness, 2, 3);

      assertThat(table.offsets()).containsExactly(1L, 9L);
    }
  }

  /** Or a job that is restarted more often than that would never record where it is. */
  @Test
  void aRestartCountsAsDue() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      state = idle(harness, 1, 2);
    }
    try (var harness = harness()) {
      harness.initializeState(state);
      harness.open();
      idle(harness, 2, 3, 4);

      assertThat(table.offsets()).containsExactly(1L, 3L);
    }
  }

  @Test
  void theStateOfAnIdleTableDoesNotGrow() throws Exception {
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      long atFirst = idle(harness, 1, 2).getStateSize();
      OperatorSubtaskState last = null;
      for (int i = 0; i < 1_000; i++) {
        last = idle(harness, 2, 3);
        if (i % 10 == 0) { // the checkpoint after it is the first that anybody is told of
          harness.snapshot(++checkpoint, 2);
        }
      }
      assertThat(last.getStateSize()).isEqualTo(atFirst);

      changed(harness, 3);
      idle(harness, 3, 3);
      assertThat(table.offsets()).containsExactly(1L, 3L);
      idle(harness, HOUR + 3, 4);
      assertThat(table.offsets()).containsExactly(1L, 3L, 4L);
    }
  }

  /** The table may have got a commit whose answer nobody saw, at any time after the restore. */
  @Test
  void anEmptyCommitOfAnEarlierAttemptIsKnownWheneverItLands() throws Exception {
    OperatorSubtaskState state;
    try (var harness = harness()) {
      harness.open();
      idle(harness, 0, 1);
      idle(harness, HOUR - 1, 2);
      harness.setProcessingTime(HOUR);
      harness.processElement(new StreamRecord<>(new CommitInput.Read(read(3))));
      state = harness.snapshot(++checkpoint, HOUR);
      harness.notifyOfCompletedCheckpoint(checkpoint);
    }
    CommitRecord sent = table.records.remove(1);
    try (var harness = harness()) {
      harness.initializeState(state);
      harness.open();
      table.records.add(sent);
      idle(harness, HOUR + 1, 4);

      assertThat(table.offsets()).containsExactly(1L, 3L, 4L);
    }
  }

  private static void changed(OneInputStreamOperatorTestHarness<CommitInput, Void> harness, long at)
      throws Exception {
    harness.processElement(
        new StreamRecord<>(
            new CommitInput.BatchClosed(
                new BatchKey(at, 0),
                new WrittenFiles(List.of("f"), List.of(), List.of(), BatchStats.NONE))));
  }

  /** Checkpoints at a time, each after reading up to one of the offsets. */
  private OperatorSubtaskState idle(
      OneInputStreamOperatorTestHarness<CommitInput, Void> harness, long millis, long... offsets)
      throws Exception {
    harness.setProcessingTime(millis);
    OperatorSubtaskState state = OperatorSubtaskState.builder().build();
    for (long offset : offsets) {
      harness.processElement(new StreamRecord<>(new CommitInput.Read(read(offset))));
      checkpoint++;
      state = harness.snapshot(checkpoint, millis);
      harness.notifyOfCompletedCheckpoint(checkpoint);
    }
    return state;
  }

  private OneInputStreamOperatorTestHarness<CommitInput, Void> harness() throws Exception {
    Recorded ledger = table;
    OneInputStreamOperatorTestHarness<CommitInput, Void> harness =
        new OneInputStreamOperatorTestHarness<>(
            new CommitOperator(
                new Opened(ledger),
                null,
                new CommitOperator.Source(
                    new Progress(Map.of(ORDERS, at(0))),
                    new Progress(Map.of(ORDERS, at(9))),
                    AcceptedReplay.NONE,
                    RecordIntervalTest::withoutKafka,
                    from -> Map.of(),
                    false),
                "job",
                Duration.ofHours(1),
                new Retention(30)));
    harness.setProcessingTime(0);
    return harness;
  }

  private static TopicIds withoutKafka() {
    throw new AssertionError("no id is known that could be compared");
  }

  private static Progress read(long offset) {
    return new Progress(Map.of(ORDERS, at(offset)));
  }

  private static PartitionProgress at(long offset) {
    return PartitionProgress.startingAt(0).skippingTo(offset);
  }

  private record Opened(Recorded ledger) implements CommitOperator.LedgerFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public TableLedger open() {
      return ledger;
    }
  }

  private static final class Recorded implements TableLedger {
    private final List<CommitRecord> records = new ArrayList<>();
    private int asked;

    List<Long> offsets() {
      return records.stream()
          .map(record -> record.progress().partitions().get(ORDERS).nextOffset())
          .toList();
    }

    @Override
    public @Nullable CommitRecord last() {
      asked++;
      return records.isEmpty() ? null : records.get(records.size() - 1);
    }

    @Override
    public Lineage lineage(String commitId) {
      return new Lineage(null, true);
    }

    @Override
    public @Nullable String missing(List<Batch> batches) {
      return null;
    }

    @Override
    public CommitRecord commit(List<Batch> batches, CommitRecord record) {
      records.add(record);
      return record;
    }

    @Override
    public void close() {}
  }
}
