package io.tidemark.iceberg;

import io.tidemark.change.PrimaryKey;
import io.tidemark.config.CatalogSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table's rows for people, in the order of their keys. All rows that a query gives, or as
 * many as its limit says, are in memory at once.
 */
public final class TableReader implements AutoCloseable {
  private static final Comparator<KeyedRow> BY_KEY = Comparator.comparing(KeyedRow::key);

  private final OpenCatalog catalog;
  private final Table table;

  /** A row and what it is sorted by. */
  private record KeyedRow(PrimaryKey key, Record row) {}

  private TableReader(OpenCatalog catalog, Table table) {
    this.catalog = catalog;
    this.table = table;
  }

  /**
   * Connects to the catalog.
   *
   * @param identifier namespace and name, joined by dots
   * @throws org.apache.iceberg.exceptions.NoSuchTableException if there is no such table
   */
  public static TableReader open(CatalogSettings catalog, String identifier) {
    OpenCatalog open = OpenCatalog.open(catalog);
    try {
      return new TableReader(open, open.table(identifier));
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
  }

  /**
   * The columns that a query gives, in order.
   *
   * @throws IllegalArgumentException if it names a column or a snapshot that the table lacks
   */
  public Schema columns(RowQuery query) {
    Schema schema = schema(query);
    if (query.columns().isEmpty()) {
      return new Schema(
          schema.columns().stream()
              .filter(field -> query.meta() || !AddedColumns.contains(field.name()))
              .toList());
    }
    List<Types.NestedField> fields = new ArrayList<>();
    for (String name : query.columns()) {
      Types.NestedField field = schema.asStruct().field(name);
      if (field == null) {
        throw new IllegalArgumentException("Table " + table.name() + " has no column " + name);
      }
      fields.add(field);
    }
    return new Schema(fields);
  }

  /**
   * Reads rows in the order of their keys. They may have more columns than {@link #columns}: take
   * the values by name.
   *
   * @throws IllegalArgumentException if the filter cannot be read, with what was found, or the
   *     query names a column or a snapshot that the table lacks
   */
  public void read(RowQuery query, Consumer<Record> rows) throws IOException {
    Schema schema = schema(query);
    List<String> keyNames = StructKeys.names(schema);
    List<Types.NestedField> fields = new ArrayList<>(columns(query).columns());
    for (String name : keyNames) {
      Types.NestedField key = schema.asStruct().field(name);
      if (!fields.contains(key)) {
        fields.add(key);
      }
    }
    Schema projection = new Schema(fields);
    StructKeys keys = new StructKeys(projection, keyNames);
    InternalRecordWrapper internal = new InternalRecordWrapper(projection.asStruct());
    Integer limit = query.limit();
    Collection<KeyedRow> kept =
        limit == null
            ? new ArrayList<>()
            : new PriorityQueue<>(Math.max(1, Math.min(limit, 1024)), BY_KEY.reversed());
    scan(
        query,
        projection,
        row -> {
          kept.add(new KeyedRow(keys.of(internal.wrap(row)), row));
          if (limit != null
              && kept.size() > limit
              && kept instanceof PriorityQueue<KeyedRow> queue) {
            queue.remove();
          }
        });
    kept.stream().sorted(BY_KEY).forEach(keyed -> rows.accept(keyed.row()));
  }

  /**
   * How many rows there are; the query's limit does not count.
   *
   * @throws IllegalArgumentException as {@link #read}
   */
  public long count(RowQuery query) throws IOException {
    Schema schema = schema(query);
    long[] count = {0};
    Types.NestedField any = schema.columns().get(0);
    scan(query, new Schema(any), row -> count[0]++);
    return count[0];
  }

  @Override
  public void close() {
    catalog.close();
  }

  private void scan(RowQuery query, Schema projection, Consumer<Record> rows) throws IOException {
    Snapshot snapshot = snapshot(query.snapshot());
    Expression filter =
        query.filter() == null
            ? Expressions.alwaysTrue()
            : RowFilter.parse(query.filter(), schema(query));
    if (snapshot == null) {
      return;
    }
    Schema read = withFilterColumns(projection, query);
    boolean ofUuid = isOfUuid(filter, schema(query));
    Evaluator evaluator = new Evaluator(read.asStruct(), filter);
    InternalRecordWrapper internal = new InternalRecordWrapper(read.asStruct());
    TableFiles.requireLists(table, snapshot.snapshotId());
    new FilteredScan(table, snapshot.snapshotId(), read, ofUuid ? Expressions.alwaysTrue() : filter)
        .read(
            record -> {
              if (!ofUuid || evaluator.eval(internal.wrap(record))) {
                rows.accept(record);
              }
            });
  }

  /**
   * Whether it compares a uuid. Iceberg would pass over files that have such rows: it compares
   * uuids with a file's bounds as signed numbers, which the bounds are not (apache/iceberg#14216).
   */
  private static boolean isOfUuid(Expression filter, Schema schema) {
    return Binder.boundReferences(schema.asStruct(), List.of(filter), true).stream()
        .anyMatch(id -> schema.findType(id).typeId() == Type.TypeID.UUID);
  }

  /** The reader evaluates the filter on what it projects. */
  private Schema withFilterColumns(Schema projection, RowQuery query) {
    if (query.filter() == null) {
      return projection;
    }
    List<Types.NestedField> fields = new ArrayList<>(projection.columns());
    for (Types.NestedField field : schema(query).columns()) {
      if (query.filter().contains(field.name()) && !fields.contains(field)) {
        fields.add(field);
      }
    }
    return new Schema(fields);
  }

  private Schema schema(RowQuery query) {
    Snapshot snapshot = snapshot(query.snapshot());
    return snapshot == null || query.snapshot() == null
        ? table.schema()
        : SnapshotUtil.schemaFor(table, snapshot.snapshotId());
  }

  private @Nullable Snapshot snapshot(@Nullable Long id) {
    if (id == null) {
      return table.currentSnapshot();
    }
    Snapshot snapshot = table.snapshot(id);
    if (snapshot == null) {
      throw new IllegalArgumentException("Table " + table.name() + " has no snapshot " + id);
    }
    return snapshot;
  }
}
