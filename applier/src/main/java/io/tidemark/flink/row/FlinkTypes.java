package io.tidemark.flink.row;

import io.tidemark.row.ColumnType;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BinaryType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The Flink type that stores a column's value. Times and timestamps are plain numbers of
 * microseconds: Flink's own TIME has milliseconds only.
 */
public final class FlinkTypes {
  private FlinkTypes() {}

  /** The type that stores values of {@code type}. */
  public static LogicalType of(ColumnType type) {
    if (type instanceof ColumnType.Simple simple) {
      return simple(simple);
    }
    if (type instanceof ColumnType.Decimal decimal) {
      return new DecimalType(decimal.precision(), decimal.scale());
    }
    if (type instanceof ColumnType.ListOf list) {
      return new ArrayType(of(list.element()));
    }
    if (type instanceof ColumnType.MapOf map) {
      return new MapType(VarCharType.STRING_TYPE, of(map.value()));
    }
    if (type instanceof ColumnType.Struct struct) {
      return RowType.of(
          struct.fields().stream().map(field -> of(field.type())).toArray(LogicalType[]::new),
          struct.fields().stream().map(ColumnType.Field::name).toArray(String[]::new));
    }
    throw new AssertionError(type);
  }

  private static LogicalType simple(ColumnType.Simple type) {
    return switch (type) {
      case BOOLEAN -> new BooleanType();
      case INT, DATE -> new IntType();
      case LONG, TIME, TIMESTAMP, TIMESTAMPTZ -> new BigIntType();
      case FLOAT -> new FloatType();
      case DOUBLE -> new DoubleType();
      case STRING -> VarCharType.STRING_TYPE;
      case BINARY -> new VarBinaryType(VarBinaryType.MAX_LENGTH);
      case UUID -> new BinaryType(16);
    };
  }
}
