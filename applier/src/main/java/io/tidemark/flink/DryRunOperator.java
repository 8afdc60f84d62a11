package io.tidemark.flink;

import io.tidemark.change.Kind;
import io.tidemark.commit.Retention;
import io.tidemark.merge.Gate;
import io.tidemark.merge.Seed;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Joins changes with the marks as the gate does, and counts what the table's rows would come to in
 * place of writing them.
 *
 * <p>Each key counts once, by what it was before the run and what it is at its end: a row that is
 * inserted and deleted within the run is neither. Every change counts once too, so that all counts
 * but {@link #CHANGES} add up to it: of the changes of a key that count, one is the key's, and the
 * others are {@link #FURTHER}.
 */
public final class DryRunOperator extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<Arrival, Void>, BoundedOneInput {
  /** Accumulator: keys without a row that get one. */
  public static final String INSERTED = "inserted";

  /** Accumulator: keys whose row is replaced. */
  public static final String UPDATED = "updated";

  /** Accumulator: keys that lose their row. */
  public static final String DELETED = "deleted";

  /** Accumulator: keys without a row whose changes leave them without one. */
  public static final String ABSENT = "absent";

  /** Accumulator: changes of keys that are counted already. */
  public static final String FURTHER = "further";

  /** Accumulator: changes that came. */
  public static final String CHANGES = "changes";

  /** Accumulator: changes that lose against a higher version, and tell nothing that it left out. */
  public static final String SUPERSEDED = "superseded";

  /** Accumulator: changes that are copies of what stands. */
  public static final String DUPLICATES = "duplicates";

  /** Accumulator: changes of unknown keys from before the horizon. */
  public static final String TOO_OLD = "too-old";

  private static final long serialVersionUID = 1L;
  private static final byte[] SOMEWHERE = {};

  private final @Nullable Seed seed;
  private final Forgetting forgetting;
  private final MalformedPolicy policy;
  private final LongCounter inserted = new LongCounter();
  private final LongCounter updated = new LongCounter();
  private final LongCounter deleted = new LongCounter();
  private final LongCounter absent = new LongCounter();
  private final LongCounter further = new LongCounter();
  private final LongCounter changes = new LongCounter();
  private final LongCounter superseded = new LongCounter();
  private final LongCounter tooOld = new LongCounter();

  private transient ValueState<Boolean> liveBefore;
  private transient @Nullable SharedSeed sharedSeed;
  private transient StateMarks marks;
  private transient Gate gate;

  /**
   * An operator of one table.
   *
   * @param seed where the marks come from; null if the table has no rows
   * @param forgetting of which the horizon counts that the table's record has
   * @param policy what a run does with changes of unknown keys from before the horizon
   */
  public DryRunOperator(@Nullable Seed seed, Forgetting forgetting, MalformedPolicy policy) {
    this.seed = seed;
    this.forgetting = forgetting;
    this.policy = policy;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    liveBefore =
        context
            .getKeyedStateStore()
            .getState(
                new ValueStateDescriptor<>(
                    "live-before", org.apache.flink.api.common.typeinfo.Types.BOOLEAN));
    marks = new StateMarks(context.getKeyedStateStore(), this::setCurrentKey, deletedAt -> {});
    if (seed != null) {
      sharedSeed = SharedSeed.of(this);
      marks.seed(sharedSeed, seed, this);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    // Where a row lies does not matter to one that writes nothing.
    gate = new Gate(marks, row -> SOMEWHERE, Long.MAX_VALUE, null);
    gate.moveHorizon(forgetting.horizon(Retention.NONE));
    getRuntimeContext().addAccumulator(INSERTED, inserted);
    getRuntimeContext().addAccumulator(UPDATED, updated);
    getRuntimeContext().addAccumulator(DELETED, deleted);
    getRuntimeContext().addAccumulator(ABSENT, absent);
    getRuntimeContext().addAccumulator(FURTHER, further);
    getRuntimeContext().addAccumulator(CHANGES, changes);
    getRuntimeContext().addAccumulator(SUPERSEDED, superseded);
    getRuntimeContext().addAccumulator(TOO_OLD, tooOld);
  }

  @Override
  public void processElement(StreamRecord<Arrival> element) throws IOException {
    changes.add(1);
    Arrival arrival = element.getValue();
    long lost = gate.superseded();
    if (!gate.offer(arrival.change())) {
      if (policy == MalformedPolicy.FAIL) {
        throw TooOld.stop(arrival, forgetting.horizon(Retention.NONE));
      }
      tooOld.add(1);
    }
    List<Winner> winners = gate.flush();
    for (Winner winner : winners) {
      count(winner);
    }
    // One that tells what a higher version left out loses, and changes the row all the same.
    if (winners.isEmpty()) {
      superseded.add(gate.superseded() - lost);
    }
  }

  private void count(Winner winner) throws IOException {
    boolean wasLive = winner.replaced() != null;
    boolean isLive = winner.change().kind() == Kind.UPSERT;
    Boolean first = liveBefore.value();
    if (first == null) {
      liveBefore.update(wasLive);
      add(wasLive, isLive, 1);
    } else {
      further.add(1);
      add(first, wasLive, -1);
      add(first, isLive, 1);
    }
  }

  private void add(boolean before, boolean after, long count) {
    if (before) {
      (after ? updated : deleted).add(count);
    } else {
      (after ? inserted : absent).add(count);
    }
  }

  @Override
  public void endInput() {
    LongCounter duplicates = new LongCounter();
    duplicates.add(gate.duplicates());
    getRuntimeContext().addAccumulator(DUPLICATES, duplicates);
  }

  @Override
  public void close() throws Exception {
    if (sharedSeed != null) {
      sharedSeed.close();
      sharedSeed = null; // closed once only, however often this is called
    }
    super.close();
  }
}
