package io.tidemark.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The database's own answer, in the texts that {@link TextRow} has for values: written apart from
 * the decoder, from PostgreSQL's text formats.
 */
public final class Truth {
  private static final Pattern DATE = Pattern.compile("(\\d+)-(\\d\\d)-(\\d\\d)(.*?)( BC)?");
  private static final Pattern POINT = Pattern.compile("(?:POINT)?\\((.*)[, ](.*)\\)");

  private Truth() {}

  /**
   * The rows of a table by the texts of the key columns, with commas between; columns that are null
   * are left out.
   */
  public static Map<String, Map<String, String>> rows(Corpus corpus, String table, RowShape shape) {
    Map<String, JsonNode> texts = new TreeMap<>();
    corpus.truthText().path(table).forEach(row -> texts.put(row.path("id").asText(), row));
    List<String> key = shape.columns().stream().filter(Column::key).map(Column::name).toList();
    Map<String, Map<String, String>> rows = new TreeMap<>();
    for (JsonNode row : corpus.truth().path(table)) {
      JsonNode text = row.has("id") ? texts.get(row.path("id").asText()) : null;
      text = text == null ? mostAlike(row, corpus.truthText().path(table)) : text;
      Map<String, String> columns = new TreeMap<>();
      for (Column column : shape.columns()) {
        String value =
            cell(column.name(), column.type(), row.path(column.name()), text.path(column.name()));
        if (value != null) {
          columns.put(column.name(), value);
        }
      }
      rows.put(String.join(",", key.stream().map(c -> "" + columns.get(c)).toList()), columns);
    }
    return rows;
  }

  /** The files have the rows in different orders, and keys that are no numbers in two forms. */
  private static JsonNode mostAlike(JsonNode row, JsonNode texts) {
    JsonNode best = texts.path(0);
    long most = -1;
    for (JsonNode text : texts) {
      long alike =
          row.properties().stream()
              .filter(e -> alike(e.getValue(), text.path(e.getKey()).asText()))
              .count();
      if (alike > most) {
        most = alike;
        best = text;
      }
    }
    return best;
  }

  private static boolean alike(JsonNode json, String text) {
    return json.isNumber()
        ? text.matches("-?[0-9.]+") && json.decimalValue().compareTo(new BigDecimal(text)) == 0
        : json.asText().equals(text);
  }

  private static @Nullable String cell(String name, ColumnType type, JsonNode json, JsonNode text) {
    if (text.isNull() || text.isMissingNode()) {
      return null;
    }
    if (name.startsWith("c_bit") || name.startsWith("c_varbit") || name.matches("b[0-9]+")) {
      return type == Simple.BOOLEAN
          ? Boolean.toString(text.asText().equals("1"))
          : littleEndian(
              name.equals("b64")
                  ? "0".repeat(64 - text.asText().length()) + text.asText()
                  : text.asText());
    }
    if (text.asText().equals("24:00:00")) {
      return "24:00";
    }
    if (name.equals("c_interval")) {
      return text.asText(); // of another kind than the column: never equal
    }
    if (isHstore(name) && type == Simple.STRING) {
      return sorted(json);
    }
    if (name.equals("c_bytea") && type == Simple.STRING) {
      return text.asText().substring(2);
    }
    // JSON columns are compared as the text that the database has for them; char(n) loses its
    // padding
    // when it is cast to text.
    boolean asText =
        name.equals("js") || name.equals("c_json") || name.equals("c_jsonb") || !json.isTextual();
    if (type instanceof ColumnType.ListOf list) {
      return list(name, list, json, text);
    }
    String value = asText ? text.asText() : json.asText();
    if (type instanceof ColumnType.MapOf) {
      Map<String, String> entries = new TreeMap<>();
      json.properties()
          .forEach(
              e ->
                  entries.put(
                      e.getKey(),
                      e.getValue().isNull() ? "null" : '"' + e.getValue().asText() + '"'));
      return entries.toString();
    }
    return isOutside(type, value) ? value : TextRow.text(type, value(type, value));
  }

  /** What MySQL has and no column can: zero dates, 64 bits without sign, more than a day. */
  private static boolean isOutside(ColumnType type, String text) {
    if (type == Simple.LONG) {
      return new BigInteger(text).bitLength() > 63;
    }
    if (type instanceof ColumnType.Decimal) {
      return text.equals("NaN");
    }
    if (type == Simple.TIME) {
      return text.startsWith("-") || text.compareTo("24") >= 0;
    }
    return (type == Simple.DATE || type == Simple.TIMESTAMP || type == Simple.TIMESTAMPTZ)
        && text.matches(".*-00.*");
  }

  private static String list(String name, ColumnType.ListOf type, JsonNode json, JsonNode text) {
    List<@Nullable Object> values = new ArrayList<>();
    if (type.element() == Simple.DOUBLE) { // Jackson's numbers know no negative zero
      for (String number : text.asText().replaceAll("[{}]", "").split(",")) {
        values.add(Double.valueOf(number));
      }
      return TextRow.text(type, values);
    }
    for (JsonNode element : json) {
      String value = name.equals("a_jsonb") ? spaced(element) : element.asText();
      values.add(element.isNull() ? null : value(type.element(), value));
    }
    return TextRow.text(type, values);
  }

  private static Object value(ColumnType type, String text) {
    if (type instanceof ColumnType.Decimal decimal) {
      return new BigDecimal(text.replaceAll("[$,]", "")).setScale(decimal.scale());
    }
    if (type instanceof ColumnType.Struct) {
      return point(text);
    }
    return switch ((Simple) type) {
      case BOOLEAN -> text.equals("true") || text.equals("t") || text.equals("1");
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case STRING -> text;
      case BINARY -> HexFormat.of().parseHex(text.startsWith("\\x") ? text.substring(2) : text);
      case DATE -> days(text);
      case TIME -> timeMicros(text);
      case TIMESTAMP, TIMESTAMPTZ -> micros(text);
      case UUID -> UUID.fromString(text);
    };
  }

  private static int days(String text) {
    Matcher date = DATE.matcher(text);
    if (!date.matches()) {
      return text.startsWith("-") ? Integer.MIN_VALUE : Integer.MAX_VALUE; // infinities
    }
    int year = Integer.parseInt(date.group(1));
    int month = Integer.parseInt(date.group(2));
    int day = Integer.parseInt(date.group(3));
    return (int) LocalDate.of(date.group(5) == null ? year : 1 - year, month, day).toEpochDay();
  }

  private static long micros(String text) {
    Matcher date = DATE.matcher(text);
    if (!date.matches()) {
      return text.startsWith("-") ? Long.MIN_VALUE : Long.MAX_VALUE; // infinities
    }
    String time = date.group(4).replaceAll("^[T ]|\\+00(:00)?$", "");
    BigInteger micros =
        BigInteger.valueOf(days(text))
            .multiply(BigInteger.valueOf(86_400_000_000L))
            .add(BigInteger.valueOf(time.isEmpty() ? 0 : timeMicros(time)));
    return micros.bitLength() < 64 ? micros.longValue() : Long.MAX_VALUE - 1; // beyond the type
  }

  private static long timeMicros(String text) {
    String[] parts = text.split(":");
    BigDecimal seconds = new BigDecimal(parts[2]);
    return (Long.parseLong(parts[0]) * 3600 + Long.parseLong(parts[1]) * 60) * 1_000_000
        + seconds.movePointRight(6).longValueExact();
  }

  private static List<@Nullable Object> point(String text) {
    Matcher point = POINT.matcher(text);
    if (!point.matches()) {
      throw new AssertionError(text);
    }
    double x = Double.parseDouble(point.group(1));
    double y = Double.parseDouble(point.group(2));
    byte[] wkb =
        ByteBuffer.allocate(21)
            .order(ByteOrder.LITTLE_ENDIAN)
            .put((byte) 1)
            .putInt(1)
            .putDouble(x)
            .putDouble(y)
            .array();
    List<@Nullable Object> values = new ArrayList<>(List.of(x, y, wkb));
    values.add(null);
    return values;
  }

  private static String littleEndian(String bits) {
    StringBuilder hex = new StringBuilder();
    for (int end = bits.length(); end > 0; end -= 8) {
      String digits = bits.substring(Math.max(0, end - 8), end);
      hex.append(String.format("%02x", Integer.parseInt(digits, 2)));
    }
    return hex.toString();
  }

  /** Whether a recorded column is an hstore. */
  public static boolean isHstore(String column) {
    return column.equals("c_hstore") || column.equals("h");
  }

  /** The order of an hstore's keys is of no meaning, and Debezium's is not the database's. */
  public static @Nullable String sorted(@Nullable String hstore) {
    try {
      return hstore == null ? null : sorted(new ObjectMapper().readTree(hstore));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As Debezium writes an hstore: a compact JSON object, here with sorted keys. */
  public static String sorted(JsonNode map) {
    Map<String, JsonNode> entries = new TreeMap<>();
    map.properties().forEach(e -> entries.put(e.getKey(), e.getValue()));
    try {
      return new ObjectMapper().writeValueAsString(entries);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As PostgreSQL writes a jsonb. */
  private static String spaced(JsonNode node) {
    return node.toString().replace("\":", "\": ").replace(",", ", ");
  }
}
