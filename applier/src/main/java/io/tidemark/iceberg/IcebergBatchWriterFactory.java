package io.tidemark.iceberg;

import io.tidemark.commit.TableChangedException;
import io.tidemark.config.CatalogSettings;
import io.tidemark.flink.row.BinaryRowSplice;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.RowSplice;
import io.tidemark.row.RowShape;
import org.apache.iceberg.Table;

/**
 * Opens the writers of one table.
 *
 * @param identifier namespace and name, joined by dots
 * @param shape of the encoded rows
 * @param known the columns and partitioning that the job was built for
 */
public record IcebergBatchWriterFactory(
    CatalogSettings catalog, String identifier, RowShape shape, TableVersion known)
    implements BatchWriter.Factory {

  /**
   * {@inheritDoc}
   *
   * @throws TableChangedException if the table is not any more what the job was built for
   */
  @Override
  public BatchWriter open(int subtask, int attempt) {
    OpenCatalog open = OpenCatalog.open(catalog);
    try {
      IcebergBatchWriter writer = new IcebergBatchWriter(open, identifier, shape, subtask, attempt);
      refuseChanged(writer.table());
      return writer;
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws TableChangedException if the table is not any more what the job was built for
   */
  @Override
  public Placement placement() {
    try (OpenCatalog open = OpenCatalog.open(catalog)) {
      Table table = open.table(identifier);
      refuseChanged(table);
      return new RowPlacement(table.schema(), table.specs().values(), shape);
    }
  }

  @Override
  public RowSplice splice() {
    return new BinaryRowSplice(shape);
  }

  private void refuseChanged(Table table) {
    TableVersion now = IcebergTables.versionOf(table);
    if (!now.equals(known)) {
      throw new TableChangedException(
          "Table " + identifier + " has " + now + " now, the job was built for " + known);
    }
  }
}
