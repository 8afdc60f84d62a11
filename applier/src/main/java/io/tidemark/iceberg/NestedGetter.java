package io.tidemark.iceberg;

import io.tidemark.flink.row.FlinkTypes;
import io.tidemark.row.ColumnType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.VarCharType;
import org.jspecify.annotations.Nullable;

/** Turns Flink's values inside lists, maps and structs into Iceberg's internal ones. */
@FunctionalInterface
interface NestedGetter {

  /** Converts a value that is not null. */
  Object convert(Object value);

  private static @Nullable Object orNull(NestedGetter getter, @Nullable Object value) {
    return value == null ? null : getter.convert(value);
  }

  static NestedGetter of(ColumnType type) {
    if (type instanceof ColumnType.ListOf list) {
      return ofList(list);
    }
    if (type instanceof ColumnType.MapOf map) {
      return ofMap(map);
    }
    if (type instanceof ColumnType.Struct struct) {
      return ofStruct(struct);
    }
    if (type instanceof ColumnType.Decimal) {
      return value -> ((DecimalData) value).toBigDecimal();
    }
    if (type == ColumnType.Simple.STRING) {
      return Object::toString;
    }
    if (type == ColumnType.Simple.BINARY) {
      return value -> ByteBuffer.wrap((byte[]) value);
    }
    if (type == ColumnType.Simple.UUID) {
      return value -> {
        ByteBuffer bytes = ByteBuffer.wrap((byte[]) value);
        return new UUID(bytes.getLong(), bytes.getLong());
      };
    }
    return value -> value;
  }

  private static NestedGetter ofList(ColumnType.ListOf type) {
    ArrayData.ElementGetter elements = ArrayData.createElementGetter(FlinkTypes.of(type.element()));
    NestedGetter element = of(type.element());
    return value -> {
      ArrayData array = (ArrayData) value;
      List<@Nullable Object> list = new ArrayList<>(array.size());
      for (int i = 0; i < array.size(); i++) {
        list.add(orNull(element, elements.getElementOrNull(array, i)));
      }
      return list;
    };
  }

  private static NestedGetter ofMap(ColumnType.MapOf type) {
    ArrayData.ElementGetter keys = ArrayData.createElementGetter(VarCharType.STRING_TYPE);
    ArrayData.ElementGetter values = ArrayData.createElementGetter(FlinkTypes.of(type.value()));
    NestedGetter inner = of(type.value());
    return value -> {
      MapData map = (MapData) value;
      Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
      for (int i = 0; i < map.size(); i++) {
        entries.put(
            String.valueOf(keys.getElementOrNull(map.keyArray(), i)),
            orNull(inner, values.getElementOrNull(map.valueArray(), i)));
      }
      return entries;
    };
  }

  private static NestedGetter ofStruct(ColumnType.Struct type) {
    int size = type.fields().size();
    RowData.FieldGetter[] fields = new RowData.FieldGetter[size];
    NestedGetter[] inner = new NestedGetter[size];
    for (int i = 0; i < size; i++) {
      fields[i] = RowData.createFieldGetter(FlinkTypes.of(type.fields().get(i).type()), i);
      inner[i] = of(type.fields().get(i).type());
    }
    return value -> {
      ArrayStruct struct = new ArrayStruct(size);
      for (int i = 0; i < size; i++) {
        struct.set(i, orNull(inner[i], fields[i].getFieldOrNull((RowData) value)));
      }
      return struct;
    };
  }
}
