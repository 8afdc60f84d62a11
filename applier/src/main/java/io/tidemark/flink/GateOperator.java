package io.tidemark.flink;

import io.tidemark.change.PrimaryKey;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.AcceptedReplay;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.CommitCodec;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.BadEventException;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Gate;
import io.tidemark.merge.KeptRows;
import io.tidemark.merge.Seed;
import io.tidemark.merge.UnknownColumnException;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedMultiInput;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the marks of its keys, joins changes with them, and has the winners written at every
 * barrier.
 *
 * <p>Gate and writer share a task: winners never cross a network, and every file that a
 * checkpoint's marks speak of is told to the committer before that checkpoint's barrier.
 *
 * <p>Its second input tells how far all readers are. What they report comes before the barrier on
 * both inputs, so at the barrier every gate knows exactly what the committer will record, and has
 * all the changes below. Only then the horizon moves, to where the record has it: a change that was
 * read for the first time is never older than it. Deleted keys that the horizon leaves behind are
 * forgotten by timers, which cost as much as the deletes of a day and not as much as the table.
 */
public final class GateOperator extends AbstractStreamOperator<CommitInput>
    implements TwoInputStreamOperator<Arrival, CommitInput, CommitInput>,
        BoundedMultiInput,
        Triggerable<PrimaryKey, VoidNamespace> {
  /** What was refused, under {@link MalformedPolicy#DEAD_LETTER}. */
  public static final OutputTag<DeadLetter> DEAD_LETTERS =
      new OutputTag<>("too-old", Types.DEAD_LETTER);

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(GateOperator.class);

  private final BatchWriter.Factory writers;
  private final @Nullable Seed seed;
  private final KeepSettings keep;
  private final long budgetBytes;
  private final byte[] start;
  private final Forgetting forgetting;
  private final MalformedPolicy policy;

  private transient @Nullable SharedSeed sharedSeed;
  private transient @Nullable LiveRows seeded;
  private transient StateMarks marks;
  private transient StateRows rows;
  private transient ListState<Boolean> keepingState;
  private transient ColumnsInState columns;
  private transient boolean keeping;
  private transient Gate gate;
  private transient BatchWriter writer;
  private transient List<WrittenFiles> closed;
  private transient InternalTimerService<VoidNamespace> timers;
  private transient ListState<byte[]> readState;
  private transient ListState<Long> horizonState;
  private transient ListState<byte[]> replayState;
  private transient Progress read;
  private transient Set<TopicPartition> partitions;
  private transient long horizonMicros;
  private transient AcceptedReplay replay;
  private transient Counter tooOld;
  private transient LongCounter aside;
  private transient int endedInputs;

  /**
   * An operator of one table.
   *
   * @param seed where a start without state gets its marks from; null if the table is new
   * @param keep what is kept for columns that the source leaves out
   * @param budgetBytes how many bytes of winners one subtask may hold before it closes a batch
   *     early
   * @param start what is known of every partition, read or not
   * @param policy what becomes of a change from before the horizon whose key is not known
   */
  public GateOperator(
      BatchWriter.Factory writers,
      @Nullable Seed seed,
      KeepSettings keep,
      long budgetBytes,
      Progress start,
      Forgetting forgetting,
      MalformedPolicy policy) {
    this.writers = writers;
    this.seed = seed;
    this.keep = keep;
    this.budgetBytes = budgetBytes;
    this.start = CommitCodec.progressToBytes(start);
    this.forgetting = forgetting;
    this.policy = policy;
  }

  /**
   * What is kept for columns that the source leaves out.
   *
   * @param fromBytes rows of at least so many bytes are kept in state, once a column was left out
   * @param refuseUnknown whether a column that no change told stops the job; else it is null
   * @param columns names all columns of the rows in order, with their types: the bytes of a row
   *     that was kept under others mean nothing under these
   * @param key names those of the key, in their order, with their types: under others the bytes of
   *     a key are another key's
   */
  public record KeepSettings(int fromBytes, boolean refuseUnknown, String columns, String key)
      implements Serializable {}

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    timers = getInternalTimerService("forget", VoidNamespaceSerializer.INSTANCE, this);
    marks = new StateMarks(context.getKeyedStateStore(), this::setCurrentKey, this::forgetLater);
    rows = new StateRows(context.getKeyedStateStore(), this::setCurrentKey);
    initializeKeeping(context.getOperatorStateStore());
    initializeHorizon(context);
    if (!context.isRestored() && seed != null) {
      // No barrier reaches a task that is not running yet: the first checkpoint has all the marks.
      sharedSeed = SharedSeed.of(this);
      seeded = marks.seed(sharedSeed, seed, this);
    }
  }

  private void initializeKeeping(OperatorStateStore states) throws Exception {
    keepingState =
        states.getUnionListState(
            new ListStateDescriptor<>(
                "keeping", org.apache.flink.api.common.typeinfo.Types.BOOLEAN));
    for (boolean other : keepingState.get()) {
      keeping |= other; // whose rows may be this subtask's after rescaling
    }
    columns = new ColumnsInState(states, keep);
    columns.refuseOthers();
  }

  private void initializeHorizon(StateInitializationContext context) throws Exception {
    OperatorStateStore states = context.getOperatorStateStore();
    readState =
        states.getUnionListState(
            new ListStateDescriptor<>("read", BytePrimitiveArraySerializer.INSTANCE));
    horizonState =
        states.getUnionListState(new ListStateDescriptor<>("horizon", LongSerializer.INSTANCE));
    Progress planned = CommitCodec.progressFromBytes(start);
    partitions = planned.partitions().keySet();
    read = context.isRestored() ? Progress.NONE : planned;
    for (byte[] before : readState.get()) {
      read = read.merge(RestoredProgress.of(before));
    }
    replayState =
        states.getUnionListState(
            new ListStateDescriptor<>("replay", BytePrimitiveArraySerializer.INSTANCE));
    replay = context.isRestored() ? AcceptedReplay.NONE : forgetting.replay();
    for (byte[] before : replayState.get()) {
      replay = CommitCodec.replayFromBytes(before);
    }
    horizonMicros = replay.isUnderWay() ? Retention.NONE : forgetting.horizon(Retention.NONE);
    for (long before : horizonState.get()) {
      // Restored marks were forgotten up to here, whatever the retention is now.
      horizonMicros = Math.max(horizonMicros, before);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    closed = new ArrayList<>();
    writer =
        writers.open(
            getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
            getRuntimeContext().getTaskInfo().getAttemptNumber());
    gate =
        new Gate(
            marks,
            writers.placement(),
            budgetBytes,
            new KeptRows(rows, writer, writers.splice(), keep.fromBytes(), keep.refuseUnknown()));
    gate.moveHorizon(horizonMicros);
    if (keeping) {
      gate.keep();
    }
    getMetricGroup().gauge("superseded", gate::superseded);
    getMetricGroup().gauge("duplicates", gate::duplicates);
    tooOld = getMetricGroup().counter("tooOld");
    aside = new LongCounter();
    getRuntimeContext().addAccumulator(DecodeOperator.ASIDE, aside);
  }

  @Override
  public void processElement1(StreamRecord<Arrival> element) throws IOException {
    try {
      if (!gate.offer(element.getValue().change())) {
        refuse(element.getValue());
      }
    } catch (BadEventException e) {
      throw new SuppressRestartsException(e); // the next attempt meets it again
    }
    if (gate.isFull()) {
      closeBatch();
    }
  }

  @Override
  public void processElement2(StreamRecord<CommitInput> element) {
    if (element.getValue() instanceof CommitInput.Read reported) {
      read = read.merge(reported.progress());
      replay = replay.read(reported.progress());
    }
  }

  private void refuse(Arrival arrival) {
    tooOld.inc();
    if (policy == MalformedPolicy.FAIL || arrival.record() == null) {
      throw TooOld.stop(arrival, horizonMicros);
    }
    String problem = TooOld.problem(arrival.change(), horizonMicros);
    if (policy == MalformedPolicy.DEAD_LETTER) {
      // What was decoded has its version, and its reader counted with it.
      String version = arrival.change().version().toText();
      output.collect(
          DEAD_LETTERS, new StreamRecord<>(new DeadLetter(arrival.record(), problem, version)));
      DeadLetter.log(LOG, arrival.record().at(), problem, tooOld.getCount());
    } else {
      LOG.warn("Skipped a record at {}: {}", arrival.record().at(), problem);
    }
    aside.add(1);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    if (endedInputs < 2) {
      handOver(checkpointId);
      moveHorizon();
    }
  }

  private void moveHorizon() throws Exception {
    if (replay.isUnderWay()) {
      return; // also in a job that was restored in the middle of it and not told to accept it
    }
    horizonMicros =
        Math.max(horizonMicros, forgetting.horizon(Retention.reached(read, partitions)));
    gate.moveHorizon(horizonMicros);
    long forgottenBefore = Retention.forgottenBefore(horizonMicros);
    if (forgottenBefore != Retention.NONE) {
      super.processWatermark(new Watermark(forgottenBefore / 1000));
    }
  }

  /** The sources' watermarks say nothing here: the last one would make it forget everything. */
  @Override
  public void processWatermark(Watermark mark) {
    LOG.debug("Passed over {}", mark);
  }

  private void forgetLater(long deletedAtMicros) {
    if (forgetting.retention() != null) {
      timers.registerEventTimeTimer(
          VoidNamespace.INSTANCE, Retention.forgottenAt(deletedAtMicros) / 1000);
    }
  }

  @Override
  public void onEventTime(InternalTimer<PrimaryKey, VoidNamespace> timer) {
    if (marks.forget(Retention.forgottenBefore(horizonMicros))) {
      rows.remove(timer.getKey()); // a delete leaves none, but nothing else would ever find one
    }
  }

  @Override
  public void onProcessingTime(InternalTimer<PrimaryKey, VoidNamespace> timer) {
    throw new AssertionError("No such timer is ever set");
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    // All subtasks know the same at a barrier.
    boolean first = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask() == 0;
    readState.update(first ? List.of(CommitCodec.progressToBytes(read)) : List.of());
    horizonState.update(List.of(horizonMicros));
    replayState.update(
        first && replay.isUnderWay() ? List.of(CommitCodec.replayToBytes(replay)) : List.of());
    keepingState.update(List.of(gate.isKeeping()));
    columns.save(gate.isKeeping());
  }

  @Override
  public void endInput(int input) throws IOException {
    if (++endedInputs == 2) {
      handOver(Long.MAX_VALUE); // nothing may follow the end of the input
    }
  }

  /**
   * Batches closed early wait for the barrier: only then is it known which checkpoint is theirs.
   */
  private void handOver(long checkpoint) throws IOException {
    if (seeded != null) {
      // Each subtask found the same. Before the first barrier: the first record may need it.
      output.collect(new StreamRecord<>(new CommitInput.Seeded(seeded)));
      seeded = null;
    }
    closeBatch();
    for (int i = 0; i < closed.size(); i++) {
      output.collect(
          new StreamRecord<>(
              new CommitInput.BatchClosed(new BatchKey(checkpoint, i), closed.get(i))));
    }
    closed.clear();
  }

  private void closeBatch() throws IOException {
    if (!gate.isEmpty()) {
      List<Winner> winners = winners();
      try {
        closed.add(writer.write(winners));
      } catch (TableChangedException e) {
        throw new SuppressRestartsException(e); // the marks come from state in each attempt
      }
    }
  }

  /** Neither is a column told, nor another job gone, in the next attempt. */
  private List<Winner> winners() throws IOException {
    try {
      return gate.flush();
    } catch (UnknownColumnException | RefusedException e) {
      throw new SuppressRestartsException(e);
    }
  }

  @Override
  public void close() throws Exception {
    if (writer != null) {
      writer.close();
    }
    if (sharedSeed != null) {
      sharedSeed.close();
      sharedSeed = null; // closed once only, however often this is called
    }
    super.close();
  }
}
