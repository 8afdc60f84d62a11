package io.tidemark.iceberg;

import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.util.DateTimeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows that were read back from a table, to the very bytes that they had when they were
 * written. Not thread-safe.
 */
final class RecordEncoder {
  private final RowShape shape;
  private final BinaryRowEncoder encoder;

  RecordEncoder(RowShape shape) {
    this.shape = shape;
    this.encoder = new BinaryRowEncoder(shape);
  }

  /**
   * Encodes a row.
   *
   * @param row with the columns of the shape, as Iceberg's generic reader returns them
   */
  byte[] encode(Record row) {
    encoder.start();
    List<Column> columns = shape.columns();
    for (int i = 0; i < columns.size(); i++) {
      Object value = value(columns.get(i).type(), row.getField(columns.get(i).name()));
      if (value != null) {
        set(i, columns.get(i).type(), value);
      }
    }
    return encoder.finish();
  }

  private void set(int column, ColumnType type, Object value) {
    if (type instanceof ColumnType.Decimal) {
      encoder.setDecimal(column, (BigDecimal) value);
    } else if (type instanceof ColumnType.ListOf || type instanceof ColumnType.Struct) {
      List<?> values = (List<?>) value;
      if (type instanceof ColumnType.ListOf) {
        encoder.setList(column, values);
      } else {
        encoder.setStruct(column, values);
      }
    } else if (type instanceof ColumnType.MapOf) {
      @SuppressWarnings("unchecked") // made by value()
      Map<String, ?> map = (Map<String, ?>) value;
      encoder.setMap(column, map);
    } else {
      switch ((ColumnType.Simple) type) {
        case BOOLEAN -> encoder.setBoolean(column, (Boolean) value);
        case INT, DATE -> encoder.setInt(column, (Integer) value);
        case LONG, TIME, TIMESTAMP, TIMESTAMPTZ -> encoder.setLong(column, (Long) value);
        case FLOAT -> encoder.setFloat(column, (Float) value);
        case DOUBLE -> encoder.setDouble(column, (Double) value);
        case STRING -> encoder.setString(column, (String) value);
        case BINARY -> encoder.setBinary(column, (byte[]) value);
        case UUID -> encoder.setUuid(column, (UUID) value);
      }
    }
  }

  /** The value that {@link ColumnType} names for what the generic reader returned. */
  private static @Nullable Object value(ColumnType type, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (type instanceof ColumnType.ListOf list) {
      List<@Nullable Object> values = new ArrayList<>();
      ((List<?>) value).forEach(element -> values.add(value(list.element(), element)));
      return values;
    }
    if (type instanceof ColumnType.MapOf map) {
      Map<String, @Nullable Object> values = new LinkedHashMap<>();
      ((Map<?, ?>) value)
          .forEach((key, inner) -> values.put(key.toString(), value(map.value(), inner)));
      return values;
    }
    if (type instanceof ColumnType.Struct struct) {
      List<@Nullable Object> values = new ArrayList<>();
      for (ColumnType.Field field : struct.fields()) {
        values.add(value(field.type(), ((Record) value).getField(field.name())));
      }
      return values;
    }
    return type instanceof ColumnType.Simple simple ? simple(simple, value) : value;
  }

  private static Object simple(ColumnType.Simple type, Object value) {
    return switch (type) {
      case DATE -> DateTimeUtil.daysFromDate((LocalDate) value);
      case TIME -> DateTimeUtil.microsFromTime((LocalTime) value);
      case TIMESTAMP -> DateTimeUtil.microsFromTimestamp((LocalDateTime) value);
      case TIMESTAMPTZ -> micros((OffsetDateTime) value);
      case STRING -> value.toString();
      case BINARY -> {
        ByteBuffer bytes = ((ByteBuffer) value).duplicate();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        yield copy;
      }
      default -> value;
    };
  }

  /** Microseconds since 1970-01-01T00:00:00Z. (Java counts nanoseconds, which end in 2262.) */
  static long micros(OffsetDateTime time) {
    return Math.addExact(
        Math.multiplyExact(time.toEpochSecond(), 1_000_000L), time.getNano() / 1000);
  }
}
