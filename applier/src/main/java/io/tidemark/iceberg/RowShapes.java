package io.tidemark.iceberg;

import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Row shapes as Iceberg schemas, and back. */
public final class RowShapes {
  /** The type of {@code _kept}. */
  static final ColumnType KEPT = new ColumnType.MapOf(Simple.STRING);

  private RowShapes() {}

  /**
   * The shape of a table's rows, without the columns that Tidemark adds.
   *
   * @throws IllegalArgumentException if a column's type has no counterpart or there is no
   *     identifier field
   */
  public static RowShape of(Schema schema) {
    List<Column> columns = new ArrayList<>();
    for (Types.NestedField field : schema.columns()) {
      if (!AddedColumns.contains(field.name())) {
        columns.add(
            new Column(
                field.name(),
                columnType(field.name(), field.type()),
                schema.identifierFieldIds().contains(field.fieldId())));
      }
    }
    return new RowShape(columns);
  }

  /** The schema of a table for such rows, with the columns that Tidemark adds. */
  static Schema table(RowShape shape) {
    IntSupplier ids = counter();
    List<Types.NestedField> fields = new ArrayList<>();
    Set<Integer> keys = new HashSet<>();
    for (Column column : shape.columns()) {
      int id = ids.getAsInt();
      fields.add(
          Types.NestedField.builder()
              .withId(id)
              .withName(column.name())
              .ofType(icebergType(column.type(), ids))
              .isOptional(!column.key())
              .build());
      if (column.key()) {
        keys.add(id);
      }
    }
    // Optional, because a table that is adopted has rows without them.
    fields.add(
        Types.NestedField.optional(
            ids.getAsInt(), AddedColumns.COMMIT_VERSION, Types.StringType.get()));
    fields.add(
        Types.NestedField.optional(
            ids.getAsInt(), AddedColumns.SOURCE_TS, Types.TimestampType.withZone()));
    fields.add(
        Types.NestedField.optional(ids.getAsInt(), AddedColumns.KEPT, icebergType(KEPT, ids)));
    return new Schema(fields, keys);
  }

  /** The schema of the tombstone table for such rows. */
  static Schema tombstones(RowShape shape) {
    IntSupplier ids = counter();
    List<Types.NestedField> fields = new ArrayList<>();
    for (Column column : shape.columns()) {
      if (column.key()) {
        fields.add(
            Types.NestedField.required(
                ids.getAsInt(), column.name(), icebergType(column.type(), ids)));
      }
    }
    fields.add(
        Types.NestedField.required(
            ids.getAsInt(), AddedColumns.COMMIT_VERSION, Types.StringType.get()));
    fields.add(
        Types.NestedField.required(
            ids.getAsInt(), AddedColumns.SOURCE_TS, Types.TimestampType.withZone()));
    return new Schema(fields);
  }

  /** Iceberg's type for a column; nested fields take their ids from {@code ids}. */
  static Type icebergType(ColumnType type, IntSupplier ids) {
    if (type instanceof Simple simple) {
      return primitive(simple);
    }
    if (type instanceof ColumnType.Decimal decimal) {
      return Types.DecimalType.of(decimal.precision(), decimal.scale());
    }
    if (type instanceof ColumnType.ListOf list) {
      int element = ids.getAsInt();
      return Types.ListType.ofOptional(element, icebergType(list.element(), ids));
    }
    if (type instanceof ColumnType.MapOf map) {
      int key = ids.getAsInt();
      int value = ids.getAsInt();
      return Types.MapType.ofOptional(
          key, value, Types.StringType.get(), icebergType(map.value(), ids));
    }
    if (type instanceof ColumnType.Struct struct) {
      List<Types.NestedField> fields = new ArrayList<>();
      for (ColumnType.Field field : struct.fields()) {
        int id = ids.getAsInt();
        fields.add(Types.NestedField.optional(id, field.name(), icebergType(field.type(), ids)));
      }
      return Types.StructType.of(fields);
    }
    throw new AssertionError(type);
  }

  /**
   * The column type of an Iceberg type.
   *
   * @param name of the column, for the message
   */
  static ColumnType columnType(String name, Type type) {
    return switch (type.typeId()) {
      case BOOLEAN -> Simple.BOOLEAN;
      case INTEGER -> Simple.INT;
      case LONG -> Simple.LONG;
      case FLOAT -> Simple.FLOAT;
      case DOUBLE -> Simple.DOUBLE;
      case STRING -> Simple.STRING;
      case BINARY -> Simple.BINARY;
      case DATE -> Simple.DATE;
      case TIME -> Simple.TIME;
      case UUID -> Simple.UUID;
      case TIMESTAMP ->
          ((Types.TimestampType) type).shouldAdjustToUTC() ? Simple.TIMESTAMPTZ : Simple.TIMESTAMP;
      case DECIMAL -> {
        Types.DecimalType decimal = (Types.DecimalType) type;
        yield new ColumnType.Decimal(decimal.precision(), decimal.scale());
      }
      case LIST -> new ColumnType.ListOf(columnType(name, type.asListType().elementType()));
      case MAP -> {
        if (type.asMapType().keyType().typeId() != Type.TypeID.STRING) {
          throw unsupported(name, type);
        }
        yield new ColumnType.MapOf(columnType(name, type.asMapType().valueType()));
      }
      case STRUCT ->
          new ColumnType.Struct(
              type.asStructType().fields().stream()
                  .map(f -> new ColumnType.Field(f.name(), columnType(name, f.type())))
                  .toList());
      default -> throw unsupported(name, type);
    };
  }

  private static Type primitive(Simple type) {
    return switch (type) {
      case BOOLEAN -> Types.BooleanType.get();
      case INT -> Types.IntegerType.get();
      case LONG -> Types.LongType.get();
      case FLOAT -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
      case STRING -> Types.StringType.get();
      case BINARY -> Types.BinaryType.get();
      case DATE -> Types.DateType.get();
      case TIME -> Types.TimeType.get();
      case TIMESTAMP -> Types.TimestampType.withoutZone();
      case TIMESTAMPTZ -> Types.TimestampType.withZone();
      case UUID -> Types.UUIDType.get();
    };
  }

  private static IntSupplier counter() {
    int[] last = {0};
    return () -> ++last[0];
  }

  private static IllegalArgumentException unsupported(String name, Type type) {
    return new IllegalArgumentException(
        "Column " + name + " has type " + type + ", which no source column maps to");
  }
}
