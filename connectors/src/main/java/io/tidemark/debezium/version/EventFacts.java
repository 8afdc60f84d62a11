package io.tidemark.debezium.version;

import io.tidemark.change.Kind;
import io.tidemark.debezium.format.Message;

/**
 * What an event says beside its row, as far as its version can depend on it.
 *
 * @param source its source block; cleared if it has none
 * @param totalOrder its number in its transaction, 0 where it is not said
 * @param kind whether it leaves a row
 * @param snapshotRow whether it is a row that a non-incremental snapshot read
 * @param message the record's value
 */
public record EventFacts(
    SourceBlock source, long totalOrder, Kind kind, boolean snapshotRow, Message message) {}
