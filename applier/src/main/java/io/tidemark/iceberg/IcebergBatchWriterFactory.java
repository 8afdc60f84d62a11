package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.row.RowShape;

/** Opens the writers of one table. */
public final class IcebergBatchWriterFactory implements BatchWriter.Factory {
  private static final long serialVersionUID = 1L;

  private final CatalogSettings catalog;
  private final String identifier;
  private final TableVersion known;

  /**
   * Writers of one table.
   *
   * @param identifier namespace and name, joined by dots
   * @param shape of the encoded rows
   * @param known the columns and partitioning that the job was built for
   */
  public IcebergBatchWriterFactory(
      CatalogSettings catalog, String identifier, RowShape shape, TableVersion known) {
    this.catalog = catalog;
    this.identifier = identifier;
    this.known = known;
  }

  @Override
  public BatchWriter open(int subtask, int attempt) {
    throw new UnsupportedOperationException(catalog + identifier + known);
  }

  @Override
  public Placement placement() {
    throw new UnsupportedOperationException();
  }
}
