package io.tidemark.iceberg;

import io.tidemark.row.RowShape;
import java.util.List;
import java.util.Map;

/**
 * What a table is to be.
 *
 * @param identifier namespace and name, joined by dots
 * @param partition expressions such as {@code day(created_at)}, {@code bucket(16, id)} or a column
 *     name; ignored for a table that exists
 * @param properties Iceberg's own table properties
 * @param versionScheme what its commit versions are made of; a table keeps the one it was made with
 * @param columns what the caller remembers of its columns: kept with the table, not interpreted
 */
public record TableDefinition(
    String identifier,
    RowShape shape,
    List<String> partition,
    Map<String, String> properties,
    String versionScheme,
    String columns) {

  public TableDefinition {
    partition = List.copyOf(partition);
    properties = Map.copyOf(properties);
  }
}
