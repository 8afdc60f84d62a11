package io.tidemark.iceberg;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was compared with the log, key by key, and may be built on whoever wrote it.
 *
 * @param snapshot id of the table's snapshot
 * @param tombstones id of the tombstone table's snapshot; null if it had no tombstones
 * @param doubled locations of data files that the table refers to more than once
 */
public record Acceptance(long snapshot, @Nullable Long tombstones, List<String> doubled)
    implements Serializable {

  public Acceptance {
    doubled = List.copyOf(doubled);
  }
}
