package io.tidemark.debezium;

import io.tidemark.change.KeyWriter;
import io.tidemark.change.PrimaryKey;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The values of a row's key columns, in whatever order they come. Columns that are no keys must not
 * be set. Reused from row to row.
 */
final class KeyValues implements RowWriter {
  private final List<Column> columns;
  private final int[] positions;
  private final boolean[] set;
  private final long[] numbers;
  private final @Nullable Object[] objects;
  private final KeyWriter writer = new KeyWriter();

  KeyValues(RowShape shape) {
    columns = shape.columns();
    positions = shape.keyPositions();
    set = new boolean[columns.size()];
    numbers = new long[columns.size()];
    objects = new Object[columns.size()];
  }

  @Override
  public void start() {
    Arrays.fill(set, false);
  }

  /** Name of the first key column that is not set; null if all are. */
  @Nullable String missing() {
    for (int position : positions) {
      if (!set[position]) {
        return columns.get(position).name();
      }
    }
    return null;
  }

  /** Whether all key columns are equal. Both must be complete. */
  boolean sameAs(KeyValues other) {
    for (int position : positions) {
      if (!sameAt(position, other)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a key column is equal. It must be set in both. */
  boolean sameAt(int column, KeyValues other) {
    return isNumber(columns.get(column).type())
        ? numbers[column] == other.numbers[column]
        : equal(objects[column], other.objects[column]);
  }

  /** Whether a column is set. */
  boolean isSet(int column) {
    return set[column];
  }

  /** The value of a column; null if it is not set, or a number. */
  @Nullable Object object(int column) {
    return set[column] && !isNumber(columns.get(column).type()) ? objects[column] : null;
  }

  /** The value of a column that is set and is a number: a count of its type's unit, 0 for false. */
  long number(int column) {
    return numbers[column];
  }

  /**
   * The value as text, of a type that has one text for each value. All columns must be set.
   *
   * @return null if the key has several columns, or one of another type
   */
  @Nullable String onlyText() {
    int position = positions[0];
    if (positions.length > 1 || !(columns.get(position).type() instanceof Simple type)) {
      return null;
    }
    return switch (type) {
      case BOOLEAN -> Boolean.toString(numbers[position] != 0);
      case INT, LONG -> Long.toString(numbers[position]);
      case STRING, UUID -> String.valueOf(objects[position]);
      case FLOAT, DOUBLE, DATE, TIME, TIMESTAMP, TIMESTAMPTZ, BINARY -> null;
    };
  }

  /** The key. All columns must be set. */
  PrimaryKey key() {
    writer.start();
    for (int position : positions) {
      write(position, columns.get(position).type());
    }
    return writer.finish();
  }

  /** Sets the key columns of a row that was started. All columns must be set. */
  void copyTo(RowWriter row) {
    for (int position : positions) {
      copy(position, columns.get(position).type(), row);
    }
  }

  private void write(int position, ColumnType type) {
    long number = numbers[position];
    Object object = objects[position];
    if (type == Simple.BOOLEAN) {
      writer.writeBoolean(number != 0);
    } else if (type == Simple.INT || type == Simple.DATE) {
      writer.writeInt((int) number);
    } else if (isNumber(type)) {
      writer.writeLong(number);
    } else if (object instanceof String text) {
      writer.writeString(text);
    } else if (object instanceof byte[] bytes) {
      writer.writeBytes(bytes);
    } else if (object instanceof UUID uuid) {
      writer.writeUuid(uuid);
    } else if (object instanceof BigDecimal decimal) {
      writer.writeDecimal(decimal);
    } else {
      throw new AssertionError("No key column has type " + type);
    }
  }

  private void copy(int position, ColumnType type, RowWriter row) {
    long number = numbers[position];
    Object object = objects[position];
    if (type == Simple.BOOLEAN) {
      row.setBoolean(position, number != 0);
    } else if (type == Simple.INT || type == Simple.DATE) {
      row.setInt(position, (int) number);
    } else if (isNumber(type)) {
      row.setLong(position, number);
    } else if (object instanceof String text) {
      row.setString(position, text);
    } else if (object instanceof byte[] bytes) {
      row.setBinary(position, bytes);
    } else if (object instanceof UUID uuid) {
      row.setUuid(position, uuid);
    } else if (object instanceof BigDecimal decimal) {
      row.setDecimal(position, decimal);
    } else {
      throw new AssertionError("No key column has type " + type);
    }
  }

  private static boolean isNumber(ColumnType type) {
    return type instanceof Simple simple
        && switch (simple) {
          case BOOLEAN, INT, DATE, LONG, TIME, TIMESTAMP, TIMESTAMPTZ -> true;
          case FLOAT, DOUBLE, STRING, BINARY, UUID -> false;
        };
  }

  private static boolean equal(@Nullable Object a, @Nullable Object b) {
    if (a instanceof byte[] left && b instanceof byte[] right) {
      return Arrays.equals(left, right);
    }
    return a != null && a.equals(b);
  }

  private void number(int column, long value) {
    numbers[column] = value;
    set[column] = true;
  }

  private void object(int column, Object value) {
    objects[column] = value;
    set[column] = true;
  }

  @Override
  public void setBoolean(int column, boolean value) {
    number(column, value ? 1 : 0);
  }

  @Override
  public void setInt(int column, int value) {
    number(column, value);
  }

  @Override
  public void setLong(int column, long value) {
    number(column, value);
  }

  @Override
  public void setDecimal(int column, BigDecimal value) {
    object(column, value);
  }

  @Override
  public void setString(int column, String value) {
    object(column, value);
  }

  @Override
  public void setBinary(int column, byte[] value) {
    object(column, value);
  }

  @Override
  public void setUuid(int column, UUID value) {
    object(column, value);
  }

  @Override
  public void setFloat(int column, float value) {
    throw noKey(column);
  }

  @Override
  public void setDouble(int column, double value) {
    throw noKey(column);
  }

  @Override
  public void setList(int column, List<?> value) {
    throw noKey(column);
  }

  @Override
  public void setMap(int column, Map<String, ?> value) {
    throw noKey(column);
  }

  @Override
  public void setStruct(int column, List<?> value) {
    throw noKey(column);
  }

  @Override
  public byte[] finish() {
    throw new UnsupportedOperationException("A key is no row");
  }

  private AssertionError noKey(int column) {
    return new AssertionError(
        "RowShape allows no key column of type " + columns.get(column).type());
  }
}
