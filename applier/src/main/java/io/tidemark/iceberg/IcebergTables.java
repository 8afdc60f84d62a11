package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;

/** Creates tables and looks at them. */
public final class IcebergTables implements AutoCloseable {

  /** Connects to the catalog. */
  public static IcebergTables open(CatalogSettings settings) {
    throw new UnsupportedOperationException();
  }

  /** What is there now. */
  public TableState state(String identifier) {
    throw new UnsupportedOperationException();
  }

  /**
   * Creates the table and its tombstone table where they are missing, and checks what exists.
   *
   * @throws TableMismatchException if an existing table does not fit, with every mismatch
   * @throws IllegalArgumentException if a partition expression cannot be used
   */
  public TableDescription ensure(TableDefinition definition) {
    throw new UnsupportedOperationException();
  }

  /**
   * Looks at a table.
   *
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if it does not exist
   */
  public TableDescription describe(String identifier) {
    throw new UnsupportedOperationException();
  }

  /**
   * What is wrong with an existing table for such rows; empty if nothing is.
   *
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if it does not exist
   */
  public java.util.List<String> mismatches(TableDefinition definition) {
    throw new UnsupportedOperationException();
  }

  /** Whether the partition expressions can be used; the message says why not, null if they can. */
  public static @org.jspecify.annotations.Nullable String partitionProblem(
      io.tidemark.row.RowShape shape, java.util.List<String> expressions) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
