package io.tidemark.flink.row;

import io.tidemark.row.ColumnType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.jspecify.annotations.Nullable;

/** Turns the Java values of lists, maps and structs into Flink's. */
final class NestedValues {
  private NestedValues() {}

  static ArrayData list(ColumnType.ListOf type, List<?> value) {
    Object[] elements = new Object[value.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = value(type.element(), value.get(i));
    }
    return new GenericArrayData(elements);
  }

  /** In the order of the keys: equal maps must have equal bytes. */
  static MapData map(ColumnType.MapOf type, Map<String, ?> value) {
    Map<StringData, @Nullable Object> entries = new LinkedHashMap<>();
    for (Map.Entry<String, ?> entry : new TreeMap<>(value).entrySet()) {
      entries.put(StringData.fromString(entry.getKey()), value(type.value(), entry.getValue()));
    }
    return new GenericMapData(entries);
  }

  static RowData struct(ColumnType.Struct type, List<?> value) {
    if (value.size() != type.fields().size()) {
      throw new IllegalArgumentException(
          "A value of " + type + " needs " + type.fields().size() + " fields, got " + value.size());
    }
    GenericRowData row = new GenericRowData(value.size());
    for (int i = 0; i < value.size(); i++) {
      row.setField(i, value(type.fields().get(i).type(), value.get(i)));
    }
    return row;
  }

  private static @Nullable Object value(ColumnType type, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (type instanceof ColumnType.Decimal decimal) {
      return DecimalData.fromBigDecimal((BigDecimal) value, decimal.precision(), decimal.scale());
    }
    if (type instanceof ColumnType.ListOf list) {
      return list(list, (List<?>) value);
    }
    if (type instanceof ColumnType.MapOf map) {
      @SuppressWarnings("unchecked") // what ColumnType.MapOf says
      Map<String, ?> entries = (Map<String, ?>) value;
      return map(map, entries);
    }
    if (type instanceof ColumnType.Struct struct) {
      return struct(struct, (List<?>) value);
    }
    if (type == ColumnType.Simple.STRING) {
      return StringData.fromString((String) value);
    }
    if (type == ColumnType.Simple.UUID) {
      UUID uuid = (UUID) value;
      return ByteBuffer.allocate(16)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits())
          .array();
    }
    return value;
  }
}
