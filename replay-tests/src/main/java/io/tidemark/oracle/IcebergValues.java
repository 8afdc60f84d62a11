package io.tidemark.oracle;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Pattern;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Brings what the log says and what Iceberg's generic reader returns to one form. */
final class IcebergValues {

  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+([.][0-9]*)?");

  private IcebergValues() {}

  /** A record as a map, structs within it too. */
  static Map<String, @Nullable Object> read(Types.StructType struct, Record row) {
    Map<String, @Nullable Object> map = new TreeMap<>();
    for (Types.NestedField field : struct.fields()) {
      map.put(field.name(), read(field.type(), row.getField(field.name())));
    }
    return map;
  }

  private static @Nullable Object read(Type type, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (value instanceof OffsetDateTime time) {
      return time.withOffsetSameInstant(ZoneOffset.UTC);
    }
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    if (value instanceof CharSequence text) {
      return text.toString();
    }
    if (value instanceof Record row) {
      return read(type.asStructType(), row);
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(read(type.asListType().elementType(), element)));
      return copy;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new TreeMap<>();
      map.forEach((key, v) -> copy.put(key.toString(), read(type.asMapType().valueType(), v)));
      return copy;
    }
    return value;
  }

  /**
   * What a column of a type holds for a value of the log. Only changes of form, none of content: a
   * value that the type cannot hold exactly stays as it is, and so differs.
   */
  static @Nullable Object fit(Type type, @Nullable Object value) {
    if (value == null) {
      return null;
    }
    return switch (type.typeId()) {
      case INTEGER -> value instanceof Boolean flag ? (Object) (flag ? 1 : 0) : value;
      case BOOLEAN -> List.of(0, 1).contains(value) ? (Object) value.equals(1) : value;
      case LONG -> value instanceof Integer number ? (Object) number.longValue() : value;
      case DOUBLE -> value instanceof Float number ? (Object) number.doubleValue() : value;
      case STRING -> text(value);
      case UUID -> value instanceof String text ? UUID.fromString(text) : value;
      case DECIMAL -> decimal((Types.DecimalType) type, value);
      case TIMESTAMP ->
          value instanceof LocalDateTime time && ((Types.TimestampType) type).shouldAdjustToUTC()
              ? time.atOffset(ZoneOffset.UTC)
              : value;
      case LIST -> list(type.asListType().elementType(), value);
      case MAP -> map(type.asMapType().valueType(), value);
      case STRUCT -> value instanceof Map<?, ?> map ? struct(type.asStructType(), map) : value;
      default -> value;
    };
  }

  private static Object text(Object value) {
    if (value instanceof BigDecimal number) {
      return number.toPlainString();
    }
    return value instanceof UUID || value instanceof Boolean ? value.toString() : value;
  }

  private static Object decimal(Types.DecimalType type, Object value) {
    if (value instanceof String text && NUMBER.matcher(text).matches()) {
      return decimal(type, new BigDecimal(text));
    }
    if (value instanceof BigDecimal number && number.stripTrailingZeros().scale() <= type.scale()) {
      return number.setScale(type.scale());
    }
    return value;
  }

  private static Object list(Type element, Object value) {
    if (!(value instanceof List<?> list)) {
      return value;
    }
    List<@Nullable Object> fitted = new ArrayList<>();
    list.forEach(v -> fitted.add(fit(element, v)));
    return fitted;
  }

  private static Object map(Type values, Object value) {
    if (!(value instanceof Map<?, ?> map)) {
      return value;
    }
    Map<String, @Nullable Object> fitted = new TreeMap<>();
    map.forEach((key, v) -> fitted.put(key.toString(), fit(values, v)));
    return fitted;
  }

  private static Map<String, @Nullable Object> struct(Types.StructType type, Map<?, ?> value) {
    Map<String, @Nullable Object> fitted = new TreeMap<>();
    for (Types.NestedField field : type.fields()) {
      fitted.put(field.name(), fit(field.type(), value.get(field.name())));
    }
    return fitted;
  }
}
