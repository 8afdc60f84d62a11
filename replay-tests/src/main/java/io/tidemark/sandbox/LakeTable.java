package io.tidemark.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;

/**
 * The Iceberg table {@code shop.orders}, read with Iceberg's own reader and nothing of Tidemark.
 */
final class LakeTable implements AutoCloseable {

  private static final TableIdentifier IDENTIFIER = TableIdentifier.of("shop", "orders");

  private final HadoopCatalog catalog;

  private LakeTable(HadoopCatalog catalog) {
    this.catalog = catalog;
  }

  /** Opens the table in a warehouse on disk; it need not exist yet. */
  static LakeTable in(Path warehouse) {
    return new LakeTable(new HadoopCatalog(new Configuration(), warehouse.toUri().toString()));
  }

  /** How far the log is applied; nothing if the table has no record yet. */
  Optional<RecordedOffsets> recorded() {
    Table table;
    try {
      table = catalog.loadTable(IDENTIFIER);
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
    Snapshot snapshot = table.currentSnapshot();
    while (snapshot != null) {
      Optional<RecordedOffsets> recorded = RecordedOffsets.in(snapshot.summary());
      if (recorded.isPresent()) {
        return recorded;
      }
      Long parent = snapshot.parentId();
      snapshot = parent == null ? null : table.snapshot(parent);
    }
    return Optional.empty();
  }

  /**
   * All rows as they are now.
   *
   * @throws NoSuchTableException if the table does not exist
   */
  OrderRows rows() {
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(catalog.loadTable(IDENTIFIER)).build()) {
      return OrderRows.of(records);
    } catch (IOException e) {
      throw new UncheckedIOException("Table " + IDENTIFIER + " could not be read", e);
    }
  }

  /** Columns that are missing or have another type than they should, in words. */
  List<String> typeProblems() {
    Map<String, Types.NestedField> found =
        catalog.loadTable(IDENTIFIER).schema().columns().stream()
            .collect(Collectors.toMap(Types.NestedField::name, field -> field));
    List<String> problems = new ArrayList<>();
    for (OrderColumn column : OrderColumn.ALL) {
      Types.NestedField field = found.get(column.name());
      if (field == null) {
        problems.add("column " + column.name() + " is missing");
      } else if (!column.isOfType(field.type())) {
        problems.add(
            "column %s: expected type %s, found %s"
                .formatted(column.name(), column.type(), field.type()));
      }
    }
    return problems;
  }

  @Override
  public void close() {
    try {
      catalog.close();
    } catch (IOException e) {
      throw new UncheckedIOException("The catalog did not close", e);
    }
  }
}
