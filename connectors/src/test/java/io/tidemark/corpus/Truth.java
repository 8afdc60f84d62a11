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
  private static final Pattern POINT = Pattern.compile("\\((.*),(.*)\\)");

  private Truth() {}

  /** The rows of a table by the text of {@code id}; columns that are null are left out. */
  public static Map<String, Map<String, String>> rows(Corpus corpus, String table, RowShape shape) {
    Map<String, JsonNode> texts = new TreeMap<>();
    corpus.truthText().path(table).forEach(row -> texts.put(row.path("id").asText(), row));
    Map<String, Map<String, String>> rows = new TreeMap<>();
    for (JsonNode row : corpus.truth().path(table)) {
      JsonNode text = texts.get(row.path("id").asText());
      Map<String, String> columns = new TreeMap<>();
      for (Column column : shape.columns()) {
        String value =
            cell(column.name(), column.type(), row.path(column.name()), text.path(column.name()));
        if (value != null) {
          columns.put(column.name(), value);
        }
      }
      rows.put(row.path("id").asText(), columns);
    }
    return rows;
  }

  private static @Nullable String cell(String name, ColumnType type, JsonNode json, JsonNode text) {
    if (text.isNull() || text.isMissingNode()) {
      return null;
    }
    if (name.startsWith("c_bit") || name.startsWith("c_varbit")) {
      return type == Simple.BOOLEAN
          ? Boolean.toString(text.asText().equals("1"))
          : littleEndian(text.asText());
    }
    if (text.asText().equals("24:00:00")) {
      return "24:00";
    }
    if (name.equals("c_interval")) {
      return text.asText(); // of another kind than the column: never equal
    }
    if (name.equals("c_hstore")) {
      return sorted(json);
    }
    // JSON columns are compared as the text that the database has for them; char(n) loses its
    // padding
    // when it is cast to text.
    boolean asText = name.equals("c_json") || name.equals("c_jsonb") || !json.isTextual();
    return type instanceof ColumnType.ListOf list
        ? list(name, list, json, text)
        : TextRow.text(type, value(type, asText ? text.asText() : json.asText()));
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
      case BOOLEAN -> Boolean.valueOf(text);
      case INT -> Integer.valueOf(text);
      case LONG -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case STRING -> text;
      case BINARY -> HexFormat.of().parseHex(text.substring(2));
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
