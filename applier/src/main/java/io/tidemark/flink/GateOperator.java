package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.change.Change;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.WrittenFiles;
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
import java.util.UUID;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the marks of its keys, joins changes with them, and has the winners written at every
 * barrier.
 *
 * <p>Gate and writer share a task: winners never cross a network, and every file that a
 * checkpoint's marks speak of is told to the committer before that checkpoint's barrier.
 */
public final class GateOperator extends AbstractStreamOperator<CommitInput>
    implements OneInputStreamOperator<Change, CommitInput>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  private final BatchWriter.Factory writers;
  private final @Nullable Seed seed;
  private final KeepSettings keep;
  private final long budgetBytes;

  private transient @Nullable SharedSeed sharedSeed;
  private transient StateMarks marks;
  private transient StateRows rows;
  private transient ListState<Boolean> keepingState;
  private transient ListState<String> columnsState;
  private transient boolean keeping;
  private transient Gate gate;
  private transient BatchWriter writer;
  private transient List<WrittenFiles> closed;
  private transient boolean ended;

  /**
   * An operator of one table.
   *
   * @param seed where a start without state gets its marks from; null if the table is new
   * @param keep what is kept for columns that the source leaves out
   * @param budgetBytes how many bytes of winners one subtask may hold before it closes a batch
   *     early
   */
  public GateOperator(
      BatchWriter.Factory writers, @Nullable Seed seed, KeepSettings keep, long budgetBytes) {
    this.writers = writers;
    this.seed = seed;
    this.keep = keep;
    this.budgetBytes = budgetBytes;
  }

  /**
   * What is kept for columns that the source leaves out.
   *
   * @param fromBytes rows of at least so many bytes are kept in state, once a column was left out
   * @param refuseUnknown whether a column that no change told stops the job; else it is null
   * @param columns names all columns of the rows in order, with their types: the bytes of a row
   *     that was kept under others mean nothing under these
   */
  public record KeepSettings(int fromBytes, boolean refuseUnknown, String columns)
      implements Serializable {

    /** What the state remembers of the columns: as short for many as for few. */
    private String columnsId() {
      return UUID.nameUUIDFromBytes(columns.getBytes(UTF_8)).toString();
    }
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    marks = new StateMarks(context.getKeyedStateStore(), this::setCurrentKey);
    rows = new StateRows(context.getKeyedStateStore(), this::setCurrentKey);
    keepingState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "keeping", org.apache.flink.api.common.typeinfo.Types.BOOLEAN));
    columnsState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>(
                    "columns", org.apache.flink.api.common.typeinfo.Types.STRING));
    for (boolean other : keepingState.get()) {
      keeping |= other; // whose rows may be this subtask's after rescaling
    }
    refuseOtherColumns();
    if (!context.isRestored() && seed != null) {
      // No barrier reaches a task that is not running yet: the first checkpoint has all the marks.
      sharedSeed = SharedSeed.of(this);
      marks.seed(sharedSeed, seed, this);
    }
  }

  /** Without rows in the state it does not matter: marks say themselves what they hold. */
  private void refuseOtherColumns() throws Exception {
    for (String keptUnder : columnsState.get()) {
      if (!keptUnder.equals(keep.columnsId())) {
        throw new SuppressRestartsException(
            new RefusedException(
                "The state keeps rows for columns that the source leaves out (TOAST), and the"
                    + " table's columns were others when they were kept. Start without state: it goes"
                    + " on from the table's record and loses nothing"));
      }
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
    if (keeping) {
      gate.keep();
    }
    getMetricGroup().gauge("superseded", gate::superseded);
    getMetricGroup().gauge("duplicates", gate::duplicates);
  }

  @Override
  public void processElement(StreamRecord<Change> element) throws IOException {
    gate.offer(element.getValue());
    if (gate.isFull()) {
      closeBatch();
    }
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws IOException {
    if (!ended) {
      handOver(checkpointId);
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    keepingState.update(List.of(gate.isKeeping()));
    columnsState.update(gate.isKeeping() ? List.of(keep.columnsId()) : List.of());
  }

  @Override
  public void endInput() throws IOException {
    handOver(Long.MAX_VALUE);
    ended = true; // nothing may follow the end of the input
  }

  /**
   * Batches closed early wait for the barrier: only then is it known which checkpoint is theirs.
   */
  private void handOver(long checkpoint) throws IOException {
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
      closed.add(writer.write(winners()));
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
