package io.tidemark.flink;

import io.tidemark.change.Join;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.LiveRows;
import io.tidemark.failure.RefusedException;
import io.tidemark.merge.MarkStore;
import io.tidemark.merge.Seed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.jspecify.annotations.Nullable;

/** The marks of one subtask's keys, in Flink's keyed state. */
final class StateMarks implements MarkStore {
  private final ValueState<Mark> marks;
  private final Consumer<PrimaryKey> current;
  private final LongConsumer forgetAt;

  /**
   * Marks under the name that they have in every savepoint.
   *
   * @param current makes a key the one that state is about
   * @param forgetAt is told of the current key, which was deleted at a source time
   */
  StateMarks(KeyedStateStore states, Consumer<PrimaryKey> current, LongConsumer forgetAt) {
    this.marks = states.getState(new ValueStateDescriptor<>("marks", Types.MARK));
    this.current = current;
    this.forgetAt = forgetAt;
  }

  /**
   * Takes the marks of the subtask's own keys, all of them, before any change is joined.
   *
   * @return all rows of the table, not only the subtask's
   * @throws SuppressRestartsException if they are refused
   */
  LiveRows seed(SharedSeed shared, Seed seed, AbstractStreamOperator<?> operator)
      throws IOException, InterruptedException {
    Path directory =
        Path.of(
            operator
                .getContainingTask()
                .getEnvironment()
                .getIOManager()
                .getSpillingDirectoriesPaths()[0]);
    try {
      return shared.read(
          seed,
          operator.getRuntimeContext().getTaskInfo(),
          directory,
          (key, mark) -> {
            current.accept(key);
            Mark before = read();
            write(before == null ? mark : Join.highest(before, mark));
          });
    } catch (RefusedException | CommitRefusedException | ForeignWriteException e) {
      throw new SuppressRestartsException(e); // the next attempt reads the same snapshots
    }
  }

  @Override
  public @Nullable Mark get(PrimaryKey key) {
    return read(); // asked only for the key of the element, which Flink has made current
  }

  @Override
  public void put(PrimaryKey key, Mark mark) {
    current.accept(key);
    write(mark);
  }

  /**
   * Forgets the current key if it was deleted before a source time.
   *
   * @return whether it was
   */
  boolean forget(long beforeMicros) {
    Mark mark = read();
    boolean old = mark != null && !mark.live() && mark.deletedAtMicros() < beforeMicros;
    if (old) {
      marks.clear();
    }
    return old;
  }

  private @Nullable Mark read() {
    try {
      return marks.value();
    } catch (IOException e) {
      throw new UncheckedIOException("A mark could not be read from state", e);
    }
  }

  private void write(Mark mark) {
    try {
      marks.update(mark);
    } catch (IOException e) {
      throw new UncheckedIOException("A mark could not be written to state", e);
    }
    if (mark.deletedAtMicros() != Mark.NEVER) {
      forgetAt.accept(mark.deletedAtMicros());
    }
  }
}
