package io.tidemark.debezium.version;

import io.tidemark.change.Kind;

/**
 * What an event says beside its row, as far as its version can depend on it.
 *
 * @param source its source block; cleared if it has none
 * @param transaction its transaction block; cleared if it has none
 * @param kind whether it leaves a row
 * @param snapshot what kind of snapshot read its row; {@link SnapshotFlag#NONE} for a change
 * @param payload the message that holds the envelope
 * @param from where the envelope starts
 * @param to where it ends, exclusive
 */
@SuppressWarnings("ArrayRecordComponent") // a view of the message, never compared
public record EventFacts(
    SourceBlock source,
    TransactionBlock transaction,
    Kind kind,
    SnapshotFlag snapshot,
    byte[] payload,
    int from,
    int to) {

  /** Whether it is a row that a non-incremental snapshot read. */
  boolean snapshotRow() {
    return snapshot == SnapshotFlag.WHOLE;
  }

  /** Whether it is a row that an incremental snapshot read. */
  boolean incremental() {
    return snapshot == SnapshotFlag.INCREMENTAL;
  }
}
