package io.tidemark.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one snapshot, as Iceberg's own generic reader returns them.
 *
 * @param schema the snapshot's
 * @param rows by key; more than one only in a broken table
 */
record SnapshotRows(
    Schema schema, Map<Map<String, Object>, List<Map<String, @Nullable Object>>> rows) {

  static SnapshotRows read(Table table, Snapshot snapshot) {
    Schema schema = SnapshotUtil.schemaFor(table, snapshot.snapshotId());
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> rows = new HashMap<>();
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).useSnapshot(snapshot.snapshotId()).build()) {
      for (Record record : records) {
        Map<String, @Nullable Object> row = IcebergValues.read(schema.asStruct(), record);
        rows.computeIfAbsent(key(table.schema(), row), key -> new ArrayList<>()).add(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new SnapshotRows(schema, rows);
  }

  /** The values of the identifier columns. */
  static Map<String, Object> key(Schema schema, Map<String, @Nullable Object> row) {
    Map<String, Object> key = new TreeMap<>();
    for (String name : schema.identifierFieldNames()) {
      Object value = row.get(name);
      key.put(name, value == null ? "null" : value);
    }
    return key;
  }
}
