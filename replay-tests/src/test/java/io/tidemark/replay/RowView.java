package io.tidemark.replay;

import io.tidemark.change.Change;
import io.tidemark.row.RowShape;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.jspecify.annotations.Nullable;

/**
 * Some columns of the encoded rows of an {@code orders} script, as Flink's own reader sees them.
 */
final class RowView {

  private final Map<String, Integer> columns = new HashMap<>();

  RowView(RowShape shape) {
    List<String> names = shape.columns().stream().map(column -> column.name()).toList();
    for (String name : List.of("id", "name", "qty", "region")) {
      columns.put(name, names.indexOf(name));
    }
    columns.put("", names.size());
  }

  /** The columns as the oracle has them. */
  Map<String, Object> content(byte[] row) {
    BinaryRowData data = open(row);
    Map<String, Object> content = new HashMap<>();
    content.put("id", data.getLong(columns.get("id")));
    content.put("qty", data.getInt(columns.get("qty")));
    content.put("region", text(data, "region"));
    content.put("name", text(data, "name"));
    return content;
  }

  private @Nullable String text(BinaryRowData data, String name) {
    int column = columns.get(name);
    return data.isNullAt(column) ? null : data.getString(column).toString();
  }

  /** Where a row lies in a table that is partitioned by region, which may be unknown. */
  byte[] placement(byte[] row) {
    String region = text(open(row), "region");
    return (region == null ? "" : region).getBytes(StandardCharsets.UTF_8);
  }

  String place(Change change) {
    return text(placement(change.row()));
  }

  static String text(byte[] placement) {
    return new String(placement, StandardCharsets.UTF_8);
  }

  private BinaryRowData open(byte[] row) {
    BinaryRowData data = new BinaryRowData(columns.get(""));
    data.pointTo(MemorySegmentFactory.wrap(row), 0, row.length);
    return data;
  }
}
