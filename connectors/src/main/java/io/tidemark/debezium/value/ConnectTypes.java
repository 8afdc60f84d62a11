package io.tidemark.debezium.value;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the types of Kafka Connect and Debezium are as columns: by Connect type, logical name and
 * parameters.
 */
public final class ConnectTypes {
  private static final int MAX_DECIMAL_DIGITS = 38;
  static final int MAX_DEPTH = 20;
  static final int MAX_TYPES = 100_000;
  private static final String DECIMAL = "org.apache.kafka.connect.data.Decimal";

  private static final ColumnSpec DECIMAL_TEXT =
      new ColumnSpec(Simple.STRING, Encoding.Simple.DECIMAL);

  /** Logical names that decide the type by themselves. */
  private static final Map<String, ColumnSpec> BY_NAME =
      Map.ofEntries(
          Map.entry("io.debezium.data.VariableScaleDecimal", DECIMAL_TEXT),
          Map.entry("io.debezium.data.Uuid", ColumnSpec.of(Simple.UUID)),
          Map.entry("io.debezium.time.Date", ColumnSpec.of(Simple.DATE)),
          Map.entry("org.apache.kafka.connect.data.Date", ColumnSpec.of(Simple.DATE)),
          Map.entry("io.debezium.time.Time", time(Encoding.Simple.MILLIS)),
          Map.entry("io.debezium.time.MicroTime", time(Encoding.Simple.MICROS)),
          Map.entry("io.debezium.time.NanoTime", time(Encoding.Simple.NANOS)),
          Map.entry("org.apache.kafka.connect.data.Time", time(Encoding.Simple.MILLIS)),
          Map.entry("io.debezium.time.Timestamp", timestamp(Encoding.Simple.MILLIS)),
          Map.entry("io.debezium.time.MicroTimestamp", timestamp(Encoding.Simple.MICROS)),
          Map.entry("io.debezium.time.NanoTimestamp", timestamp(Encoding.Simple.NANOS)),
          Map.entry("org.apache.kafka.connect.data.Timestamp", timestamp(Encoding.Simple.MILLIS)),
          Map.entry("io.debezium.time.IsoDate", new ColumnSpec(Simple.DATE, Encoding.Simple.ISO)),
          Map.entry("io.debezium.time.IsoTime", time(Encoding.Simple.ISO)),
          Map.entry("io.debezium.time.IsoTimestamp", timestamp(Encoding.Simple.ISO)),
          Map.entry("io.debezium.time.ZonedTimestamp", ColumnSpec.of(Simple.TIMESTAMPTZ)),
          // What stays as it was sent: no type of a table says more.
          Map.entry("io.debezium.time.ZonedTime", ColumnSpec.of(Simple.STRING)),
          Map.entry("io.debezium.time.Interval", ColumnSpec.of(Simple.STRING)),
          Map.entry("io.debezium.time.MicroDuration", ColumnSpec.of(Simple.LONG)),
          Map.entry("io.debezium.time.NanoDuration", ColumnSpec.of(Simple.LONG)),
          Map.entry("io.debezium.time.Year", ColumnSpec.of(Simple.INT)));

  private ConnectTypes() {}

  /** The logical names that decide the type by themselves. */
  static Set<String> names() {
    return BY_NAME.keySet();
  }

  /**
   * Checks how large a row's type is, written out. An Avro schema names a record that it has
   * already, and so a few lines of it can stand for a type of any size.
   *
   * @param row a struct's Connect schema
   * @throws Problem if it is larger than any table
   */
  public static void requireBounded(JsonNode row) throws Problem {
    if (left(row, MAX_TYPES, 0) < 0) {
      throw new Problem(
          "a schema whose row has more than "
              + MAX_TYPES
              + " types in it, written out, expected at most so many");
    }
  }

  /** What is left of an allowance after a type and all in it; below 0 if it is not enough. */
  private static int left(JsonNode type, int allowed, int depth) {
    int left = allowed - 1;
    if (depth > MAX_DEPTH) {
      return left; // refused for its depth, whatever is in it
    }
    for (String part : List.of("items", "values")) {
      if (left >= 0 && type.has(part)) {
        left = left(type.path(part), left, depth + 1);
      }
    }
    for (JsonNode field : type.path("fields")) {
      if (left < 0) {
        break;
      }
      left = left(field, left, depth + 1);
    }
    return left;
  }

  /**
   * The specification of a field's values.
   *
   * @param schema a field's Connect schema, as the JSON converter writes it
   * @throws Problem if no column can hold the type exactly
   */
  public static ColumnSpec spec(JsonNode schema) throws Problem {
    return spec(schema, 0);
  }

  private static ColumnSpec spec(JsonNode schema, int depth) throws Problem {
    if (depth > MAX_DEPTH) {
      throw new Problem("a type nested deeper than " + MAX_DEPTH + " levels");
    }
    String name = schema.path("name").asText("");
    if (name.equals(DECIMAL)) {
      return decimal(schema);
    }
    ColumnSpec known = BY_NAME.get(name);
    if (known != null) {
      return known;
    }
    // A time in a form that is not listed would end as text or as a number of unknown meaning.
    if (name.startsWith("io.debezium.time.") || name.startsWith("org.apache.kafka.connect.data.")) {
      throw new Problem("type " + JsonInput.quoted(name) + " is not supported");
    }
    String type = schema.path("type").asText("");
    return switch (type) {
      case "boolean" -> ColumnSpec.of(Simple.BOOLEAN);
      case "int8", "int16", "int32" -> ColumnSpec.of(Simple.INT);
      case "int64" -> ColumnSpec.of(Simple.LONG);
      case "float" -> ColumnSpec.of(Simple.FLOAT);
      case "double" -> ColumnSpec.of(Simple.DOUBLE);
      case "string" -> ColumnSpec.of(Simple.STRING);
      case "bytes" -> ColumnSpec.of(Simple.BINARY);
      case "array" -> ColumnSpec.listOf(spec(schema.path("items"), depth + 1));
      case "map" -> map(schema, depth);
      case "struct" -> struct(schema, depth);
      default -> throw new Problem("Connect type " + JsonInput.quoted(type) + " is not supported");
    };
  }

  private static ColumnSpec decimal(JsonNode schema) throws Problem {
    JsonNode parameters = schema.path("parameters");
    int scale = parameters.path("scale").asInt(-1);
    int precision = parameters.path("connect.decimal.precision").asInt(MAX_DECIMAL_DIGITS);
    if (scale < 0) {
      throw new Problem(
          "expected a decimal with a scale of at least 0, found another in the schema");
    }
    if (precision > MAX_DECIMAL_DIGITS || precision < 1 || scale > precision) {
      return new ColumnSpec(Simple.STRING, new Encoding.Scaled(scale));
    }
    return ColumnSpec.of(new ColumnType.Decimal(precision, scale));
  }

  private static ColumnSpec map(JsonNode schema, int depth) throws Problem {
    String keys = schema.path("keys").path("type").asText("");
    if (!keys.equals("string")) {
      throw new Problem(
          "a map with keys of Connect type " + JsonInput.quoted(keys) + " is not supported");
    }
    return ColumnSpec.mapOf(spec(schema.path("values"), depth + 1));
  }

  private static ColumnSpec struct(JsonNode schema, int depth) throws Problem {
    List<String> names = new ArrayList<>();
    List<ColumnSpec> specs = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (JsonNode field : schema.path("fields")) {
      String name = field.path("field").asText("");
      if (!seen.add(name)) {
        throw new Problem("a struct whose field " + JsonInput.quoted(name) + " occurs twice");
      }
      names.add(name);
      specs.add(spec(field, depth + 1));
    }
    if (names.isEmpty()) {
      throw new Problem("a struct without fields is not supported");
    }
    return ColumnSpec.structOf(names, specs);
  }

  private static ColumnSpec time(Encoding encoding) {
    return new ColumnSpec(Simple.TIME, encoding);
  }

  private static ColumnSpec timestamp(Encoding encoding) {
    return new ColumnSpec(Simple.TIMESTAMP, encoding);
  }
}
