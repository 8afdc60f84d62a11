package io.tidemark.iceberg;

import java.io.Serializable;
import java.util.Set;
import java.util.TreeSet;

/**
 * The columns and the partitioning that a job was built for.
 *
 * @param schemaId id of the table's current schema
 * @param specIds ids of all partition specs that the table has
 */
public record TableVersion(int schemaId, Set<Integer> specIds) implements Serializable {

  public TableVersion {
    specIds = Set.copyOf(specIds);
  }

  /** As Iceberg's metadata names them, for messages. */
  @Override
  public String toString() {
    return "schema " + schemaId + " and partition specs " + new TreeSet<>(specIds);
  }
}
