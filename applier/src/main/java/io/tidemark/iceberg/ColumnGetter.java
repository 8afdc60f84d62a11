package io.tidemark.iceberg;

import io.tidemark.flink.row.BinaryRowReader;
import io.tidemark.row.ColumnType;
import java.nio.ByteBuffer;
import org.apache.iceberg.shaded.org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Reads one column of an encoded row as Iceberg's internal value. */
@FunctionalInterface
interface ColumnGetter {

  /** The column's value; null if it is null. */
  @Nullable Object get(BinaryRowReader row);

  /** Values that may be kept. */
  static ColumnGetter of(ColumnType type, int column) {
    ColumnGetter getter = ofPresent(type, column);
    return row -> row.isNull(column) ? null : getter.get(row);
  }

  /**
   * Values that are good until the next call, which Iceberg's file writers need not longer: strings
   * go from the row into the file as the bytes that they are.
   */
  static ColumnGetter transientOf(ColumnType type, int column) {
    if (type != ColumnType.Simple.STRING) {
      return of(type, column);
    }
    Utf8 text = new Utf8();
    return row -> {
      if (row.isNull(column)) {
        return null;
      }
      int length = row.length(column);
      text.setByteLength(length);
      System.arraycopy(row.row(), row.start(column), text.getBytes(), 0, length);
      return text;
    };
  }

  private static ColumnGetter ofPresent(ColumnType type, int column) {
    if (type instanceof ColumnType.Simple simple) {
      return ofSimple(simple, column);
    }
    if (type instanceof ColumnType.Decimal decimal) {
      return row -> row.getDecimal(column, decimal.precision(), decimal.scale());
    }
    NestedGetter nested = NestedGetter.of(type);
    if (type instanceof ColumnType.ListOf) {
      return row -> nested.convert(row.getArray(column));
    }
    if (type instanceof ColumnType.MapOf) {
      return row -> nested.convert(row.getMap(column));
    }
    if (type instanceof ColumnType.Struct struct) {
      int fields = struct.fields().size();
      return row -> nested.convert(row.getStruct(column, fields));
    }
    throw new AssertionError(type);
  }

  private static ColumnGetter ofSimple(ColumnType.Simple type, int column) {
    return switch (type) {
      case BOOLEAN -> row -> row.getBoolean(column);
      case INT, DATE -> row -> row.getInt(column);
      case LONG, TIME, TIMESTAMP, TIMESTAMPTZ -> row -> row.getLong(column);
      case FLOAT -> row -> row.getFloat(column);
      case DOUBLE -> row -> row.getDouble(column);
      case STRING -> row -> row.getString(column);
      case BINARY -> row -> ByteBuffer.wrap(row.row(), row.start(column), row.length(column));
      case UUID -> row -> row.getUuid(column);
    };
  }
}
