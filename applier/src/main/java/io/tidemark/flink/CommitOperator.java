package io.tidemark.flink;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.AddedPartitions;
import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitCodec;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.CommitSequence;
import io.tidemark.commit.EmptyTails;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.Progress;
import io.tidemark.commit.RestoredState;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.TopicIdentity;
import io.tidemark.commit.TopicIds;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers what the barrier of a checkpoint closes and commits it once that checkpoint is complete.
 *
 * <p>One instance per table. Its barrier comes when every reader's and every gate's has, so what it
 * closes at a barrier is a complete cut. A checkpoint that fails before its barrier comes here
 * leaves files of some subtasks only: they wait, in front, as batches of the next checkpoint.
 */
public final class CommitOperator extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<CommitInput, Void>, BoundedOneInput {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(CommitOperator.class);
  private static final int LOOKS_AT_IDLE = 60; // per interval
  private static final byte[] NO_END = CommitCodec.progressToBytes(Progress.NONE);

  private final LedgerFactory ledgers;
  private final @Nullable String startsFrom;
  private final byte[] start;
  private final byte[] plannedEnd;
  private final AcceptedReplay replay;
  private final TopicIds.Factory topics;
  private final boolean byOffset;
  private final EmptyTails tails;
  private final String incarnation;
  private final Duration renewAfter;
  private final Retention retention;

  private transient TableLedger ledger;
  private transient @Nullable TopicIds topicIds;
  private transient CommitSequence commits;
  private transient NavigableMap<BatchKey, WrittenFiles> open;
  private transient Progress progress;
  private transient Set<TopicPartition> partitions;
  private transient ListState<byte[]> state;
  private transient ListState<byte[]> endState;
  private transient byte[] end;
  private transient boolean ended;
  private transient long renewAtMillis;
  private transient long lookAtMillis;

  /**
   * An operator of a job that starts without state.
   *
   * @param startsFrom commit-id of the record that the job was planned from; null for a new table
   * @param source what is read
   * @param incarnation random identity of this job, for people
   * @param renewAfter how long offsets may move without changes before an empty commit records them
   * @param retention of deleted keys
   */
  public CommitOperator(
      LedgerFactory ledgers,
      @Nullable String startsFrom,
      Source source,
      String incarnation,
      Duration renewAfter,
      Retention retention) {
    this.ledgers = ledgers;
    this.startsFrom = startsFrom;
    this.start = CommitCodec.progressToBytes(source.start());
    this.plannedEnd = CommitCodec.progressToBytes(source.end());
    this.replay = source.replay();
    this.topics = source.topics();
    this.tails = source.tails();
    this.byOffset = source.byOffset();
    this.incarnation = incarnation;
    this.renewAfter = renewAfter;
    this.retention = retention;
  }

  /**
   * What is read.
   *
   * @param start what is known of every partition, read or not
   * @param end where bounded input ends: when it has ended, all below was read, although the last
   *     offsets may be no records but marks of transactions; nothing for input without end
   * @param replay what of it is read again while unknown keys are taken for new ones
   * @param topics asked before each commit
   * @param tails asked when the record would be renewed, if the input has no end
   * @param byOffset whether only offsets order the changes, so that none may come of what was
   *     placed by a partition that is new
   */
  public record Source(
      Progress start,
      Progress end,
      AcceptedReplay replay,
      TopicIds.Factory topics,
      EmptyTails tails,
      boolean byOffset) {}

  /** Opens the ledger of the table. */
  @FunctionalInterface
  public interface LedgerFactory extends Serializable {

    /** A new ledger, used by one thread. */
    TableLedger open();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("commits", BytePrimitiveArraySerializer.INSTANCE));
    endState =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("end", BytePrimitiveArraySerializer.INSTANCE));
    ledger = ledgers.open();
    open = new TreeMap<>();
    // A start counts as due: whoever starts a job more often than that must not outrun the record,
    // and whoever accepted a gap for this start finds it in the record at once.
    renewAtMillis = getProcessingTimeService().getCurrentProcessingTime();
    lookAtMillis = renewAtMillis;
    // Nothing of the plan is mixed into what was restored: the readers go on where the state says,
    // so a plan that is ahead of them would record offsets that nobody has read. Only which
    // partitions there are is taken from it: the horizon stays until they are read.
    byte[] saved = context.isRestored() ? restored() : null;
    commits =
        saved == null
            ? new CommitSequence(ledger, incarnation, retention, startsFrom)
            : restored(saved);
    if (saved == null) {
      commits.begin(replay);
    }
    progress = saved == null ? CommitCodec.progressFromBytes(start) : commits.progress();
    partitions = new HashSet<>(progress.partitions().keySet());
    end = saved == null ? plannedEnd : Objects.requireNonNullElse(only(endState), NO_END);
    commits.have(CommitCodec.progressFromBytes(start).partitions().keySet());
    if (saved != null) {
      refuseAnotherJobs(RestoredProgress.of(end));
    }
    // The table is asked before anything else happens: it may be ahead, or another's. What was
    // restored belongs to a checkpoint that is complete, so all of it is to be in the table.
    refuseForGood(
        () -> {
          commits.check();
          if (byOffset && saved != null) {
            partitions.removeAll(AddedPartitions.in(progress, ledger.last()));
          }
          return mayCommit(Long.MAX_VALUE, false) && commits.commit(Long.MAX_VALUE, false);
        });
  }

  private byte[] restored() throws Exception {
    byte[] saved = only(state);
    if (saved == null) {
      throw new SuppressRestartsException(
          new RefusedException(
              "The state that was restored has nothing of this job's commits. Start without state:"
                  + " it goes on from the table's record"));
    }
    return saved;
  }

  private CommitSequence restored(byte[] saved) throws IOException {
    try {
      return CommitSequence.restore(ledger, incarnation, retention, saved);
    } catch (RefusedException e) {
      throw new SuppressRestartsException(e); // a newer build's, in every attempt
    }
  }

  private void refuseAnotherJobs(Progress savedEnd) throws IOException {
    Progress planned = CommitCodec.progressFromBytes(start);
    Progress endPlanned = CommitCodec.progressFromBytes(plannedEnd);
    refuseForGood(
        () -> {
          RestoredState.refuseAnotherTopic(planned, progress);
          RestoredState.refuseAnotherEnd(endPlanned, savedEnd);
          return true;
        });
  }

  private static byte @Nullable [] only(ListState<byte[]> list) throws Exception {
    Iterator<byte[]> saved = list.get().iterator();
    return saved.hasNext() ? saved.next() : null;
  }

  @Override
  public void processElement(StreamRecord<CommitInput> element) {
    CommitInput input = element.getValue();
    if (input instanceof CommitInput.BatchClosed batch) {
      open.merge(batch.key(), batch.files(), WrittenFiles::plus);
    } else if (input instanceof CommitInput.Read read) {
      progress = progress.andRead(read.progress());
      commits.read(read.progress());
    } else if (input instanceof CommitInput.Seeded seeded) {
      commits.found(seeded.rows());
    } else {
      throw new AssertionError(input.getClass());
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    List<Batch> batches = new ArrayList<>();
    for (Map.Entry<BatchKey, WrittenFiles> batch : open.entrySet()) {
      batches.add(new Batch(batch.getKey(), batch.getValue()));
    }
    open.clear();
    commits.close(context.getCheckpointId(), UUID.randomUUID().toString(), batches, progress);
    state.update(List.of(commits.save()));
    endState.update(List.of(end));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    long now = getProcessingTimeService().getCurrentProcessingTime();
    commit(checkpointId, ended || now >= renewAtMillis);
  }

  @Override
  public void endInput() throws IOException {
    Progress all = CommitCodec.progressFromBytes(end);
    progress = progress.merge(all);
    commits.read(all);
    ended = true;
  }

  @Override
  public void close() throws Exception {
    if (ledger != null) {
      ledger.close();
    }
    if (topicIds != null) {
      topicIds.close();
    }
    super.close();
  }

  private void commit(long upTo, boolean evenWithoutFiles) {
    boolean landed =
        refuseForGood(
            () ->
                mayCommit(upTo, evenWithoutFiles)
                    && commits.commit(upTo, evenWithoutFiles, this::pastEmptyTails));
    if (landed || evenWithoutFiles) {
      // While a table is idle the catalog and Kafka are not asked at every checkpoint.
      Duration pause = landed ? renewAfter : renewAfter.dividedBy(LOOKS_AT_IDLE);
      renewAtMillis = getProcessingTimeService().getCurrentProcessingTime() + pause.toMillis();
    }
  }

  /**
   * Whether there is something to commit, and all of it was read from the topic that the offsets
   * belong to. Kafka's consumer does not tell: where a topic is created anew under it, it goes on
   * in the new one as soon as that has its offset. An id does not come back, so one that has not
   * changed until after the barrier was the topic's at every record before it. Without an answer
   * the commit waits for the next checkpoint, which has nothing more to bring while Kafka is away;
   * after the last one nobody would come to it any more.
   */
  private boolean mayCommit(long upTo, boolean evenWithoutFiles) {
    if (!commits.isDue(upTo, evenWithoutFiles)) {
      commits.passOver(upTo); // or the state of an idle table grows until the record is renewed
      return false;
    }
    try {
      refuseAnotherTopic();
      refuseAddedPartitions();
      return true;
    } catch (UnavailableException e) {
      if (ended) {
        throw e;
      }
      LOG.warn("Nothing is committed before that is known: {}", e.getMessage());
      commits.passOver(upTo);
      return false;
    }
  }

  private void refuseAnotherTopic() {
    progress
        .topicIds()
        .forEach((topic, id) -> TopicIdentity.checkWhileRead(topic, asked().now(topic), id));
  }

  /** The readers know nothing of a partition before a record of it comes. */
  private void refuseAddedPartitions() {
    if (byOffset) {
      partitions.stream()
          .map(TopicPartition::topic)
          .distinct()
          .forEach(topic -> AddedPartitions.check(topic, asked().partitions(topic), partitions));
    }
  }

  /**
   * What a record says, moved past what holds no record. Readers tell of records, so without this
   * the marks of a transaction behind the last one would never count as read; when they are gone,
   * and the record still says the offset before them, nobody knows any more that they were none.
   *
   * <p>Asked once an interval also where there are changes, which may be of other partitions. The
   * topic's id was asked before; it is asked again, so the answer is of this topic. Whatever comes
   * of it goes into the record alone: a state says where readers are.
   */
  private Progress pastEmptyTails(Progress recorded) {
    long now = getProcessingTimeService().getCurrentProcessingTime();
    if (now < lookAtMillis || !Arrays.equals(end, NO_END)) {
      return recorded;
    }
    lookAtMillis = now + renewAfter.toMillis();
    Map<TopicPartition, Long> from = new TreeMap<>();
    for (Map.Entry<TopicPartition, PartitionProgress> known : recorded.partitions().entrySet()) {
      if (progress.topicIds().containsKey(known.getKey().topic())) {
        from.put(known.getKey(), known.getValue().nextOffset());
      }
    }
    if (from.isEmpty()) {
      return recorded; // brokers without ids do not tell one topic from another
    }
    try {
      Progress further = recorded.skippingTo(tails.after(from));
      refuseAnotherTopic();
      return further;
    } catch (UnavailableException e) {
      LOG.warn("Only what was read is recorded: {}", e.getMessage());
      return recorded;
    }
  }

  private TopicIds asked() {
    if (topicIds == null) {
      topicIds = topics.open();
    }
    return topicIds;
  }

  private static boolean refuseForGood(BooleanSupplier attempt) {
    try {
      return attempt.getAsBoolean();
    } catch (RefusedException
        | ForeignWriteException
        | TableChangedException
        | CommitRefusedException e) {
      throw new SuppressRestartsException(e); // it would be refused in every attempt
    }
  }
}
