package io.tidemark.iceberg;

import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.jspecify.annotations.Nullable;

/** Winners by the partition of one spec, so that one file is open at a time. Keeps their order. */
final class PartitionGroups {
  private final PartitionSpec spec;
  private final PartitionKey key;
  private final List<Winner> unpartitioned = new ArrayList<>();
  private final Map<PartitionKey, List<Winner>> groups = new LinkedHashMap<>();

  /** Takes one group after the other. */
  interface Sink {
    void write(Winner winner, PartitionSpec spec, @Nullable PartitionKey partition)
        throws IOException;
  }

  PartitionGroups(PartitionSpec spec, Schema schema) {
    this.spec = spec;
    this.key = new PartitionKey(spec, schema);
  }

  /**
   * Puts a winner where it belongs.
   *
   * @param row with the values of the spec's source columns; not kept
   */
  void add(Winner winner, StructLike row) {
    if (spec.isUnpartitioned()) {
      unpartitioned.add(winner);
      return;
    }
    key.partition(row);
    List<Winner> group = groups.get(key);
    if (group == null) {
      group = new ArrayList<>();
      groups.put(key.copy(), group);
    }
    group.add(winner);
  }

  void forEach(Sink sink) throws IOException {
    for (Winner winner : unpartitioned) {
      sink.write(winner, spec, null);
    }
    for (Map.Entry<PartitionKey, List<Winner>> group : groups.entrySet()) {
      for (Winner winner : group.getValue()) {
        sink.write(winner, spec, group.getKey());
      }
    }
  }
}
