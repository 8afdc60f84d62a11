package io.tidemark.flink;

import io.tidemark.change.PrimaryKey;
import io.tidemark.merge.RowStore;
import io.tidemark.merge.StoredRow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.apache.flink.api.common.state.KeyedStateStore;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.jspecify.annotations.Nullable;

/** The rows of one subtask's keys that columns may be kept from, in Flink's keyed state. */
final class StateRows implements RowStore {
  private final ValueState<StoredRow> rows;
  private final Consumer<PrimaryKey> current;

  /**
   * Rows under the name that they have in every savepoint.
   *
   * @param current makes a key the one that state is about
   */
  StateRows(KeyedStateStore states, Consumer<PrimaryKey> current) {
    this.rows = states.getState(new ValueStateDescriptor<>("rows", Types.STORED_ROW));
    this.current = current;
  }

  @Override
  public @Nullable StoredRow get(PrimaryKey key) {
    current.accept(key);
    try {
      return rows.value();
    } catch (IOException e) {
      throw new UncheckedIOException("A row could not be read from state", e);
    }
  }

  @Override
  public void put(PrimaryKey key, StoredRow row) {
    current.accept(key);
    try {
      rows.update(row);
    } catch (IOException e) {
      throw new UncheckedIOException("A row could not be written to state", e);
    }
  }

  @Override
  public void remove(PrimaryKey key) {
    current.accept(key);
    rows.clear();
  }
}
