package io.tidemark.oracle;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one snapshot, as {@link SnapshotReader} reads them.
 *
 * @param schema the snapshot's
 * @param rows by key; more than one only in a broken table
 */
record SnapshotRows(
    Schema schema, Map<Map<String, Object>, List<Map<String, @Nullable Object>>> rows) {

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
