package io.tidemark.flink;

import io.tidemark.change.Change;
import io.tidemark.change.PrimaryKey;
import io.tidemark.debezium.RawRecord;
import org.jspecify.annotations.Nullable;

/**
 * A change on its way to the gate.
 *
 * @param record what it was decoded from, if the gate may have to refuse it; null for all others,
 *     which are nearly all
 */
public record Arrival(Change change, @Nullable RawRecord record) {

  /** The key of the change. */
  public PrimaryKey key() {
    return change.key();
  }
}
