package io.tidemark.iceberg;

import java.io.Serializable;
import org.apache.iceberg.TableMetadata;
import org.jspecify.annotations.Nullable;

/**
 * A state in which a table was seen. Everything that becomes of the table, a rollback included,
 * leaves the sequence number where it is or raises it, so a lower one is an older state.
 *
 * @param uuid of the table; null if it has none
 * @param sequenceNumber the last one that was given to a snapshot
 */
public record Sighting(@Nullable String uuid, long sequenceNumber) implements Serializable {

  static Sighting of(TableMetadata table) {
    return new Sighting(table.uuid(), table.lastSequenceNumber());
  }
}
