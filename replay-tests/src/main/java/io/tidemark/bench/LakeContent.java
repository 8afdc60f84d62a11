package io.tidemark.bench;

import io.tidemark.bench.ContentComparison.Differences;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** The tables that were drained into, read with Iceberg's own generic reader. */
final class LakeContent {

  private static final List<String> COLUMNS =
      SalesColumn.ALL.stream().map(SalesColumn::name).toList();
  private static final TableIdentifier TABLE =
      TableIdentifier.of(DrainOrder.NAMESPACE, DrainOrder.TABLE);

  private LakeContent() {}

  /**
   * Compares the columns of the log, so none that a pipeline adds.
   *
   * @param rows how many there must be
   */
  static Differences compare(String stockWarehouse, String tidemarkWarehouse, int rows) {
    List<String> types = new ArrayList<>();
    ContentComparison comparison = new ContentComparison(COLUMNS);
    try (HadoopCatalog stock = catalog(stockWarehouse);
        HadoopCatalog tidemark = catalog(tidemarkWarehouse)) {
      Table expected = stock.loadTable(TABLE);
      Table found = tidemark.loadTable(TABLE);
      types.addAll(typeProblems(expected, found));
      if (!types.isEmpty()) {
        return new Differences(rows, types);
      }
      long count = read(expected, comparison::expect);
      if (count != rows) {
        return new Differences(
            Math.abs(rows - count),
            List.of("expected %,d rows after all changes, stock has %,d".formatted(rows, count)));
      }
      read(found, comparison::find);
      return comparison.end();
    } catch (IOException e) {
      throw new UncheckedIOException("The tables could not be read", e);
    }
  }

  private static List<String> typeProblems(Table expected, Table found) {
    List<String> problems = new ArrayList<>();
    for (String column : COLUMNS) {
      Types.NestedField other = found.schema().findField(column);
      if (other == null) {
        problems.add("column " + column + " is missing");
      } else if (!other.type().equals(expected.schema().findType(column))) {
        problems.add(
            "column %s: expected type %s, found %s"
                .formatted(column, expected.schema().findType(column), other.type()));
      }
    }
    return problems;
  }

  private static long read(Table table, Consumer<List<@Nullable Object>> rows) throws IOException {
    long count = 0;
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        List<@Nullable Object> row = new ArrayList<>(COLUMNS.size());
        for (String column : COLUMNS) {
          row.add(record.getField(column));
        }
        rows.accept(row);
        count++;
      }
    }
    return count;
  }

  private static HadoopCatalog catalog(String warehouse) {
    return new HadoopCatalog(new Configuration(), warehouse);
  }
}
