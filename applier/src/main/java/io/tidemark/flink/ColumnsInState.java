package io.tidemark.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.failure.RefusedException;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The columns under which a gate's state was made. State is bytes by position and type, and
 * somebody else may have changed the table's columns since.
 */
final class ColumnsInState {
  private final GateOperator.KeepSettings now;
  private final ListState<String> rows;
  private final ListState<String> keys;

  /** Names the state that it is kept in; the names are those in every savepoint. */
  ColumnsInState(OperatorStateStore states, GateOperator.KeepSettings now) throws Exception {
    this.now = now;
    this.rows = states.getUnionListState(new ListStateDescriptor<>("columns", Types.STRING));
    this.keys = states.getUnionListState(new ListStateDescriptor<>("key", Types.STRING));
  }

  /**
   * Refuses state that was made under other columns. State of earlier builds does not say those of
   * its keys.
   *
   * @throws SuppressRestartsException if it was
   */
  void refuseOthers() throws Exception {
    for (String made : keys.get()) {
      // No mark would be found, as if each key were new: nothing would be deleted, and each row
      // that changes would be there twice.
      if (!made.equals(now.key())) {
        throw new SuppressRestartsException(
            new RefusedException(
                "The keys of the state are made of the columns "
                    + made
                    + ", and those of the table's key are "
                    + now.key()
                    + " now: their order, names or types were changed. Start without state: it goes on"
                    + " from the table's record and loses nothing"));
      }
    }
    // Without rows in the state the others do not matter: marks say themselves what they hold.
    for (String made : rows.get()) {
      if (!made.equals(columnsId())) {
        throw new SuppressRestartsException(
            new RefusedException(
                "The state keeps rows for columns that the source leaves out (TOAST), and the"
                    + " table's columns were others when they were kept. Start without state: it"
                    + " goes on from the table's record and loses nothing"));
      }
    }
  }

  /**
   * Remembers the columns with a checkpoint.
   *
   * @param rowsAreKept whether the state has rows
   */
  void save(boolean rowsAreKept) throws Exception {
    keys.update(List.of(now.key()));
    rows.update(rowsAreKept ? List.of(columnsId()) : List.of());
  }

  /** As short for many columns as for few. */
  private String columnsId() {
    return UUID.nameUUIDFromBytes(now.columns().getBytes(UTF_8)).toString();
  }
}
