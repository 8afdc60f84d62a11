package io.tidemark.iceberg;

import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;

/** Reads some live rows of a table, at one snapshot, in one thread. */
final class FilteredScan {
  private final Table table;
  private final long snapshot;
  private final Schema columns;
  private final Expression filter;

  /**
   * A scan.
   *
   * @param columns must have those of the filter
   */
  FilteredScan(Table table, long snapshot, Schema columns, Expression filter) {
    this.table = table;
    this.snapshot = snapshot;
    this.columns = columns;
    this.filter = filter;
  }

  /**
   * Hands over the rows, in no order. Whether the manifests are whole is for the caller to ask.
   *
   * @throws RefusedException if a file is gone or damaged
   * @throws IOException or what else the store throws, if one could not be read for now
   */
  void read(Consumer<Record> taker) throws IOException {
    PartRows rows = new PartRows(table, snapshot, columns, false);
    try (CloseableIterable<FileScanTask> parts =
        table.newScan().useSnapshot(snapshot).project(columns).filter(filter).planFiles()) {
      for (FileScanTask part : parts) {
        rows.read(part, taker);
      }
    } catch (RefusedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      RefusedException refused = TableFiles.listRefusal(table, snapshot);
      if (refused != null) {
        throw refused;
      }
      throw e;
    }
  }
}
