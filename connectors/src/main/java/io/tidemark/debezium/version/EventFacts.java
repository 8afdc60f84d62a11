package io.tidemark.debezium.version;

import io.tidemark.change.Kind;
import io.tidemark.debezium.format.Message;

/**
 * What an event says beside its row, as far as its version can depend on it.
 *
 * @param source its source block; cleared if it has none
 * @param transaction its transaction block; cleared if it has none
 * @param kind whether it leaves a row
 * @param snapshot what kind of snapshot read its row; {@link SnapshotFlag#NONE} for a change
 * @param message the record's value
 */
public record EventFacts(
    SourceBlock source,
    TransactionBlock transaction,
    Kind kind,
    SnapshotFlag snapshot,
    Message message) {

  /** Whether it is a row that a non-incremental snapshot read. */
  boolean snapshotRow() {
    return snapshot == SnapshotFlag.WHOLE;
  }

  /** Whether it is a row that an incremental snapshot read. */
  boolean incremental() {
    return snapshot == SnapshotFlag.INCREMENTAL;
  }
}
