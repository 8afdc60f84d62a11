package io.tidemark.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row writer whose rows people can read: a JSON object with the text of each column that is not
 * null. It refuses values that do not fit their column's type.
 */
public final class TextRow implements RowWriter {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final RowShape shape;
  private final Map<String, String> values = new TreeMap<>();

  /** A writer of rows of this shape. */
  public TextRow(RowShape shape) {
    this.shape = shape;
  }

  /** The columns of a row that are not null, by name. */
  public static Map<String, String> read(byte[] row) {
    try {
      return JSON.readValue(row, new TypeReference<TreeMap<String, String>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void start() {
    values.clear();
  }

  @Override
  public void setBoolean(int column, boolean value) {
    set(column, value);
  }

  @Override
  public void setInt(int column, int value) {
    set(column, value);
  }

  @Override
  public void setLong(int column, long value) {
    set(column, value);
  }

  @Override
  public void setFloat(int column, float value) {
    set(column, value);
  }

  @Override
  public void setDouble(int column, double value) {
    set(column, value);
  }

  @Override
  public void setDecimal(int column, BigDecimal value) {
    set(column, value);
  }

  @Override
  public void setString(int column, String value) {
    set(column, value);
  }

  @Override
  public void setBinary(int column, byte[] value) {
    set(column, value);
  }

  @Override
  public void setUuid(int column, UUID value) {
    set(column, value);
  }

  @Override
  public void setList(int column, List<?> value) {
    set(column, value);
  }

  @Override
  public void setMap(int column, Map<String, ?> value) {
    set(column, value);
  }

  @Override
  public void setStruct(int column, List<?> value) {
    set(column, value);
  }

  @Override
  public byte[] finish() {
    try {
      return JSON.writeValueAsBytes(values);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void set(int column, Object value) {
    String name = shape.columns().get(column).name();
    if (values.put(name, text(shape.columns().get(column).type(), value)) != null) {
      throw new AssertionError("Column " + name + " is set twice");
    }
  }

  /** The text of a value, another for each value. */
  public static String text(ColumnType type, @Nullable Object value) {
    if (value == null) {
      return "null";
    }
    if (type instanceof Simple simple) {
      return simple(simple, value);
    }
    if (type instanceof ColumnType.Decimal decimal) {
      BigDecimal number = (BigDecimal) value;
      if (number.scale() != decimal.scale() || number.precision() > decimal.precision()) {
        throw new AssertionError(number + " is no " + type);
      }
      return number.toPlainString();
    }
    if (type instanceof ColumnType.ListOf list) {
      return ((List<?>) value).stream().map(v -> quoted(list.element(), v)).toList().toString();
    }
    if (type instanceof ColumnType.MapOf map) {
      Map<String, String> texts = new TreeMap<>();
      ((Map<?, ?>) value).forEach((k, v) -> texts.put((String) k, quoted(map.value(), v)));
      return texts.toString();
    }
    StringBuilder out = new StringBuilder("{");
    List<ColumnType.Field> fields = ((ColumnType.Struct) type).fields();
    for (int i = 0; i < fields.size(); i++) {
      Object field = ((List<?>) value).get(i);
      out.append(i == 0 ? "" : ", ").append(quoted(fields.get(i).type(), field));
    }
    return out.append('}').toString();
  }

  private static String quoted(ColumnType type, @Nullable Object value) {
    return type == Simple.STRING && value != null
        ? '"' + value.toString() + '"'
        : text(type, value);
  }

  private static String simple(Simple type, Object value) {
    return switch (type) {
      case BOOLEAN -> ((Boolean) value).toString();
      case INT -> ((Integer) value).toString();
      case LONG -> ((Long) value).toString();
      case FLOAT -> ((Float) value).toString();
      case DOUBLE -> ((Double) value).toString();
      case STRING -> (String) value;
      case BINARY -> HexFormat.of().formatHex((byte[]) value);
      case DATE -> LocalDate.ofEpochDay((Integer) value).toString();
      case TIME -> LocalTime.ofNanoOfDay((Long) value * 1000).toString();
      case TIMESTAMP -> dateTime((Long) value).toString();
      case TIMESTAMPTZ -> dateTime((Long) value) + "Z";
      case UUID -> ((UUID) value).toString();
    };
  }

  private static LocalDateTime dateTime(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, 1_000_000L),
        (int) Math.floorMod(micros, 1_000_000L) * 1000,
        ZoneOffset.UTC);
  }
}
