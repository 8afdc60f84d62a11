package io.tidemark.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.InMemoryLedger;
import io.tidemark.commit.LastRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TopicIds;
import io.tidemark.commit.UnavailableException;
import io.tidemark.failure.RefusedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is restored, and what of the plan that it was started with holds then. */
class CommitOperatorTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final KnownIds TOPICS = new KnownIds();
  private static InMemoryLedger table;

  @Test
  void aPlanThatIsAheadOfTheStateRecordsNothing() throws Exception {
    OperatorSubtaskState saved = read(10, Progress.NONE);

    // Such a plan comes with a table whose record went on, or with an accepted gap.
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> restored =
        job(at(50), Progress.NONE, saved)) {
      checkpoint(restored, 2);
    }

    assertThat(recorded()).isEqualTo(10);
  }

  @Test
  void aBoundedRunEndsWhereItsReadersDo() throws Exception {
    OperatorSubtaskState saved = read(10, at(20));

    // A program that runs again plans an end of its own: Kafka has gone on.
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> restored =
        job(at(0), at(90), saved)) {
      restored.endInput();
      checkpoint(restored, 2);
    }

    assertThat(recorded()).isEqualTo(20);
  }

  @Test
  void aRunWithoutEndDoesNotTakeTheStateOfABoundedOne() throws Exception {
    OperatorSubtaskState saved = read(10, at(20));

    assertThatThrownBy(() -> job(at(0), Progress.NONE, saved))
        .hasRootCauseInstanceOf(RefusedException.class)
        .rootCause()
        .hasMessageContaining("whose readers end at orders-0@20");
  }

  @Test
  void theStateOfAnotherTopicIsRefusedBeforeTheTableIsTouched() throws Exception {
    OperatorSubtaskState saved = read(10, Progress.NONE);
    int before = table.records.size();
    Progress items =
        new Progress(Map.of(new TopicPartition("items", 0), PartitionProgress.startingAt(0)));

    assertThatThrownBy(() -> job(items, Progress.NONE, saved))
        .hasRootCauseInstanceOf(RefusedException.class);
    assertThat(table.records).hasSize(before);
  }

  /** Which has an operator of the same uid: of others Flink says nothing to this one. */
  @Test
  void aSavepointOfAnotherProgramIsRefusedBeforeTheTableIsTouched() throws Exception {
    table = new InMemoryLedger();
    OperatorSubtaskState nothing = OperatorSubtaskState.builder().build();

    assertThatThrownBy(() -> job(at(50), Progress.NONE, nothing))
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseInstanceOf(RefusedException.class)
        .rootCause()
        .hasMessageContaining("has nothing of this job's commits");
    assertThat(table.records).isEmpty();
  }

  /** The same is found in every attempt. */
  @Test
  void theStateOfANewerBuildStopsTheJobForGood() throws Exception {
    table = new InMemoryLedger();
    OperatorSubtaskState newer;
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        new OneInputStreamOperatorTestHarness<>(new NewerBuild())) {
      job.open();
      newer = job.snapshot(1, 0);
    }
    assertThatThrownBy(() -> job(at(50), Progress.NONE, newer))
        .isInstanceOf(SuppressRestartsException.class)
        .rootCause()
        .hasMessageStartingWith("The committer's state has format 99, this build reads up to ");
    assertThatThrownBy(
            () -> RestoredProgress.of(ByteBuffer.allocate(64).putInt(-99).array())) // of all others
        .isInstanceOf(SuppressRestartsException.class)
        .rootCause()
        .hasMessageStartingWith("Progress in state has format 99, this build reads up to ");
  }

  private static final class NewerBuild extends AbstractStreamOperator<Void>
      implements OneInputStreamOperator<CommitInput, Void> {
    private static final long serialVersionUID = 1L;

    private transient ListState<byte[]> commits;

    @Override
    public void initializeState(StateInitializationContext context) throws Exception {
      super.initializeState(context);
      commits =
          context
              .getOperatorStateStore()
              .getListState(
                  new ListStateDescriptor<>("commits", BytePrimitiveArraySerializer.INSTANCE));
    }

    @Override
    public void snapshotState(StateSnapshotContext context) throws Exception {
      commits.update(List.of(new byte[] {99}));
    }

    @Override
    public void processElement(StreamRecord<CommitInput> element) {
      throw new AssertionError("It only leaves its state");
    }
  }

  /** As after an upgrade from a build that remembered none. */
  @Test
  void aReplayBelowTheRecordDoesNotTellItsLastRecord() throws Exception {
    table = new InMemoryLedger();
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        job(at(50), Progress.NONE, null)) {
      job.processElement(new CommitInput.Read(readTo(3)), 0);
      checkpoint(job, 1);
      assertThat(last().progress().lastRecords()).isEmpty();
      assertThat(recorded()).isEqualTo(50);
      job.processElement(new CommitInput.Read(readTo(49)), 0);
      job.processElement(new CommitInput.Read(readTo(52)), 0);
      checkpoint(job, 2);
    }
    assertThat(last().progress()).isEqualTo(readTo(52));
  }

  private static Progress readTo(long offset) {
    LastRecord last = new LastRecord(offset, 0, offset);
    return at(offset + 1).withLastRecords(Map.of(ORDERS, last));
  }

  @Test
  void whatWasReadOfATopicThatWasCreatedAnewIsNotCommitted() throws Exception {
    table = new InMemoryLedger();
    TOPICS.now = "first";
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        job(identified(0), Progress.NONE, null)) {
      job.processElement(new CommitInput.Read(at(10)), 0);
      checkpoint(job, 1);
      assertThat(recorded()).isEqualTo(10);
      TOPICS.now = "second";
      job.processElement(new CommitInput.Read(at(20)), 0);

      assertThatThrownBy(() -> checkpoint(job, 2))
          .cause()
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("Topic orders has the id second now")
          .hasMessageContaining("began to read the one with the id first");
    }
    assertThat(recorded()).isEqualTo(10);
  }

  /** A newer change may have lost in it; of others than such tables nothing is asked. */
  @Test
  void whatOffsetsOrderIsNotCommittedOncePartitionsWereAdded() throws Exception {
    table = new InMemoryLedger();
    TOPICS.now = "first";
    TOPICS.partitions = 1;
    Progress added = addedWhileItRan();
    OperatorSubtaskState saved;
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        job(identified(0), Progress.NONE, true, null)) {
      job.processElement(new CommitInput.Read(at(10)), 0);
      saved = checkpoint(job, 1);
      assertThat(recorded()).isEqualTo(10);
      TOPICS.partitions = 2;
      job.processElement(new CommitInput.Read(at(20)), 0);
      job.processElement(new CommitInput.Read(added), 0);

      assertThatThrownBy(() -> checkpoint(job, 2))
          .isInstanceOf(SuppressRestartsException.class)
          .cause()
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("Topic orders has 2 partitions now, and partition 1 came after")
          .hasMessageContaining("./tidemark epoch -c FILE --begin orders:1=0 --all");
    }
    assertThat(recorded()).isEqualTo(10);
    // Nor where the plan of a restore knows of it: what waits in the state was read before.
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> restored =
        job(identified(0).merge(added), Progress.NONE, true, saved)) {
      restored.processElement(new CommitInput.Read(at(20)), 0);
      assertThatThrownBy(() -> checkpoint(restored, 2)).hasCauseInstanceOf(RefusedException.class);
    }
    assertThat(recorded()).isEqualTo(10);
  }

  /** By a record that is no change: any other stops the reader of the new partition. */
  private static Progress addedWhileItRan() {
    return new Progress(
        Map.of(
            new TopicPartition("orders", 1), PartitionProgress.comingLateAt(0, 0).skippingTo(1)));
  }

  /** Its checkpoint was complete when it was refused, and a job may be told to go on from there. */
  @Test
  void norIsItFromTheStateThatWasRefused() throws Exception {
    table = new InMemoryLedger();
    TOPICS.now = "first";
    TOPICS.partitions = 1;
    Progress added = addedWhileItRan();
    OperatorSubtaskState refused;
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        job(identified(0), Progress.NONE, true, null)) {
      job.processElement(new CommitInput.Read(at(10)), 0);
      checkpoint(job, 1);
      TOPICS.partitions = 2;
      job.processElement(new CommitInput.Read(at(20)), 0);
      job.processElement(new CommitInput.Read(added), 0);
      refused = job.snapshot(2, 0);
      assertThatThrownBy(() -> job.notifyOfCompletedCheckpoint(2))
          .hasCauseInstanceOf(RefusedException.class);
    }
    assertThatThrownBy(
            () -> {
              try (OneInputStreamOperatorTestHarness<CommitInput, Void> restored =
                  job(identified(0).merge(added), Progress.NONE, true, refused)) {
                checkpoint(restored, 3);
              }
            })
        .hasCauseInstanceOf(RefusedException.class);
    assertThat(recorded()).isEqualTo(10);
  }

  @Test
  void aCommitWaitsUntilKafkaSaysThatTheTopicIsTheSame() throws Exception {
    table = new InMemoryLedger();
    TOPICS.now = null;
    OperatorSubtaskState saved;
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        job(identified(0), Progress.NONE, null)) {
      job.processElement(new CommitInput.Read(at(10)), 0);
      saved = checkpoint(job, 1);
    }
    assertThat(table.records).isEmpty();
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> restored =
        job(identified(0), Progress.NONE, saved)) {
      assertThat(table.records).isEmpty();
      TOPICS.now = "first";
      checkpoint(restored, 2);
    }
    assertThat(recorded()).isEqualTo(10);
  }

  @Test
  void theLastCommitOfARunDoesNotWait() throws Exception {
    table = new InMemoryLedger();
    TOPICS.now = null;
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job =
        job(identified(0), at(10), null)) {
      job.endInput();
      assertThatThrownBy(() -> checkpoint(job, 1)).isInstanceOf(UnavailableException.class);
    }
  }

  /** A job that has read so far and committed it. */
  private static OperatorSubtaskState read(long upTo, Progress end) throws Exception {
    table = new InMemoryLedger();
    try (OneInputStreamOperatorTestHarness<CommitInput, Void> job = job(at(0), end, null)) {
      job.processElement(new CommitInput.Read(at(upTo)), 0);
      return checkpoint(job, 1);
    }
  }

  private static OperatorSubtaskState checkpoint(
      OneInputStreamOperatorTestHarness<CommitInput, Void> job, long id) throws Exception {
    OperatorSubtaskState saved = job.snapshot(id, 0);
    job.notifyOfCompletedCheckpoint(id);
    return saved;
  }

  private static OneInputStreamOperatorTestHarness<CommitInput, Void> job(
      Progress start, Progress end, OperatorSubtaskState saved) throws Exception {
    return job(start, end, false, saved);
  }

  private static OneInputStreamOperatorTestHarness<CommitInput, Void> job(
      Progress start, Progress end, boolean byOffset, OperatorSubtaskState saved) throws Exception {
    CommitRecord last = table.last();
    OneInputStreamOperatorTestHarness<CommitInput, Void> harness =
        new OneInputStreamOperatorTestHarness<>(
            new CommitOperator(
                () -> table,
                last == null ? null : last.commitId(),
                new CommitOperator.Source(
                    start, end, AcceptedReplay.NONE, () -> TOPICS, from -> Map.of(), byOffset),
                "job",
                Duration.ZERO,
                new Retention(30)));
    if (saved != null) {
      harness.initializeState(saved);
    }
    harness.open();
    return harness;
  }

  private static Progress identified(long next) {
    return new Progress(at(next).partitions(), Map.of("orders", "first"), Set.of());
  }

  /** What Kafka would answer. */
  private static final class KnownIds implements TopicIds {
    private @Nullable String now;
    private int partitions;

    @Override
    public String now(String topic) {
      if (now == null) {
        throw new UnavailableException("no answer", new TimeoutException());
      }
      return now;
    }

    @Override
    public int partitions(String topic) {
      return partitions;
    }

    @Override
    public void close() {}
  }

  private static Progress at(long next) {
    return new Progress(Map.of(ORDERS, PartitionProgress.startingAt(0).skippingTo(next)));
  }

  private static long recorded() {
    return last().progress().partitions().get(ORDERS).nextOffset();
  }

  private static CommitRecord last() {
    return Objects.requireNonNull(table.last());
  }
}
