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
 * @param adopts whether an existing table may lack the columns that Tidemark adds: it gets them
 */
public record TableDefinition(
    String identifier,
    RowShape shape,
    List<String> partition,
    Map<String, String> properties,
    String versionScheme,
    String columns,
    boolean adopts) {

  /** A table that Tidemark makes, or one that fits. */
  public TableDefinition(
      String identifier,
      RowShape shape,
      List<String> partition,
      Map<String, String> properties,
      String versionScheme,
      String columns) {
    this(identifier, shape, partition, properties, versionScheme, columns, false);
  }

  public TableDefinition {
    partition = List.copyOf(partition);
    properties = Map.copyOf(properties);
  }
}
