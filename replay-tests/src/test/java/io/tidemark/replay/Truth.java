package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Compares rows with what the database itself said, reading PostgreSQL's own text formats. */
final class Truth {

  private Truth() {}

  /** The cells of a table that differ. */
  static TreeSet<String> differences(Corpus corpus, Table table) {
    return differences(corpus, rows(table, corpus.key()));
  }

  /**
   * The cells that differ.
   *
   * @param rows by {@link #name} the rows, with values as Iceberg's generic reader returns them
   * @return {@code key.column = found}, and {@code key is missing} or {@code key is too much}
   */
  static TreeSet<String> differences(
      Corpus corpus, Map<String, Map<String, @Nullable Object>> rows) {
    TreeSet<String> differences = new TreeSet<>();
    TreeSet<String> ids = new TreeSet<>(corpus.truth().keySet());
    ids.addAll(rows.keySet());
    for (String id : ids) {
      JsonNode json = corpus.truth().get(id);
      Map<String, @Nullable Object> row = rows.get(id);
      if (json == null || row == null) {
        differences.add(id + (row == null ? " is missing" : " is too much"));
        continue;
      }
      JsonNode text = corpus.texts().get(id);
      row.forEach(
          (column, found) -> {
            if (!column.startsWith("_")
                && !same(column, found, json.path(column), text.path(column))) {
              differences.add(id + "." + column + " = " + shown(found));
            }
          });
    }
    return differences;
  }

  /** The name of the row with such a key. */
  static String keyName(List<String> key, Function<String, @Nullable Object> value) {
    return name(key.stream().map(column -> shown(value.apply(column))));
  }

  /**
   * The name of a row by the texts of its key's values, in which each of the forms that they have
   * here is the same: JSON's, PostgreSQL's and Java's.
   */
  static String name(Stream<String> values) {
    return values.map(Truth::sameText).collect(Collectors.joining(","));
  }

  private static String sameText(String value) {
    if (value.matches("-?[0-9]+\\.[0-9]+")) {
      return new BigDecimal(value).stripTrailingZeros().toPlainString();
    }
    if (value.endsWith(" BC")) {
      return String.valueOf(time(LocalDate.EPOCH, value));
    }
    if (value.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}[ T].*")) {
      return value.replace(' ', 'T').replaceAll("(\\+00(:00)?|Z)$", "");
    }
    return value.replaceAll("^\\\\x", "").replaceAll("(?<=.) +$", ""); // bytes, char(n)
  }

  private static Map<String, Map<String, @Nullable Object>> rows(Table table, List<String> key) {
    Map<String, Map<String, @Nullable Object>> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        rows.put(keyName(key, record::getField), map(table.schema().asStruct(), record));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  private static Map<String, @Nullable Object> map(Types.StructType type, Record record) {
    Map<String, @Nullable Object> map = new TreeMap<>();
    for (Types.NestedField field : type.fields()) {
      Object value = record.getField(field.name());
      map.put(
          field.name(),
          value instanceof Record nested ? map(field.type().asStructType(), nested) : value);
    }
    return map;
  }

  private static boolean same(String column, @Nullable Object found, JsonNode json, JsonNode text) {
    boolean isNull = text.isNull() || text.isMissingNode(); // a column that was dropped
    if (found == null || isNull) {
      return found == null && isNull;
    }
    if (found instanceof List<?> list) {
      return list.equals(list(list, json, text.asText()));
    }
    if (found instanceof Map<?, ?> point) {
      return text.asText()
          .replaceAll("POINT|[()]", "")
          .replace(' ', ',')
          .equals(number(point.get("x")) + "," + number(point.get("y")));
    }
    if (column.equals("c_hstore") || column.equals("h")) {
      return json.equals(tree(found.toString()));
    }
    if (found instanceof ByteBuffer bytes && column.matches(".*bit.*|b[0-9]+")) {
      String bits = text.asText();
      boolean wide = column.equals("b64"); // MariaDB leaves out leading zeros
      return hex(bytes).equals(littleEndian(wide ? "0".repeat(64 - bits.length()) + bits : bits));
    }
    boolean asText = column.startsWith("c_json") || column.equals("js") || !json.isTextual();
    Object wanted = like(found, asText ? text.asText() : json.asText(), text.asText());
    return found instanceof BigDecimal number && wanted instanceof BigDecimal other
        ? number.compareTo(other) == 0
        : found.equals(wanted);
  }

  /**
   * The value that PostgreSQL's text stands for, in the type of another value; null if there is
   * none.
   */
  private static @Nullable Object like(Object type, String json, String text) {
    if (type instanceof String) {
      return json;
    }
    if (type instanceof Boolean) {
      return List.of("true", "t", "1").contains(text);
    }
    if (type instanceof Integer) {
      return Integer.valueOf(text);
    }
    if (type instanceof Long) {
      boolean fits = text.matches("-?[0-9]+") && new BigInteger(text).bitLength() < 64;
      return fits ? Long.valueOf(text) : null;
    }
    if (type instanceof Float) {
      return Float.valueOf(text);
    }
    if (type instanceof Double) {
      return Double.valueOf(text);
    }
    if (type instanceof BigDecimal) {
      return new BigDecimal(text.replaceAll("[$,]", ""));
    }
    if (type instanceof UUID) {
      return UUID.fromString(text);
    }
    if (type instanceof ByteBuffer) {
      return ByteBuffer.wrap(HexFormat.of().parseHex(text.replaceAll("^\\\\x", "")));
    }
    return time(type, text);
  }

  private static @Nullable Object time(Object type, String text) {
    if (text.endsWith("infinity") || text.matches("[0-9]+-([0-9]+-)?00.*")) { // MySQL's zero dates
      return null;
    }
    if (type instanceof LocalTime) {
      return text.startsWith("24") ? null : LocalTime.parse(text);
    }
    boolean beforeChrist = text.endsWith(" BC");
    String iso = (beforeChrist ? text.substring(0, text.length() - 3) : text).replace(' ', 'T');
    iso = iso.matches("[0-9]{5,}-.*") ? "+" + iso : iso;
    if (type instanceof LocalDate) {
      LocalDate date = LocalDate.parse(iso);
      return beforeChrist ? date.withYear(1 - date.getYear()) : date;
    }
    if (type instanceof LocalDateTime) {
      LocalDateTime time = LocalDateTime.parse(iso);
      return beforeChrist ? time.withYear(1 - time.getYear()) : time;
    }
    if (type instanceof OffsetDateTime) {
      iso = iso.matches(".*T[0-9:.]+") ? iso + "Z" : iso; // MariaDB's session is in UTC
      OffsetDateTime time = OffsetDateTime.parse(iso.matches(".*[+-][0-9]{2}") ? iso + ":00" : iso);
      time = beforeChrist ? time.withYear(1 - time.getYear()) : time;
      return time.withOffsetSameInstant(ZoneOffset.UTC);
    }
    throw new IllegalArgumentException("No such type: " + type.getClass());
  }

  private static List<@Nullable Object> list(List<?> found, JsonNode json, String text) {
    String[] texts = text.substring(1, text.length() - 1).split(",");
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < json.size(); i++) {
      Object type = i < found.size() ? found.get(i) : null;
      JsonNode element = json.get(i);
      if (element.isNull() || type == null) {
        values.add(element.isNull() ? null : element.asText());
      } else if (element.isContainerNode() || type instanceof String) {
        values.add(element.isTextual() ? element.asText() : spaced(element));
      } else {
        // JSON numbers know neither trailing zeros nor a negative zero, and texts of lists do.
        String value =
            element.isTextual() || texts.length != json.size() ? element.asText() : texts[i];
        String bare = value.replace("\"", "");
        values.add(like(type, bare, bare));
      }
    }
    return values;
  }

  /** As PostgreSQL writes a jsonb. */
  private static String spaced(JsonNode node) {
    return node.toString().replace("\":", "\": ").replace(",", ", ");
  }

  private static String number(@Nullable Object value) {
    return value instanceof Double d && d.doubleValue() == Math.rint(d) && Math.abs(d) < 1e15
        ? String.valueOf(d.longValue())
        : String.valueOf(value);
  }

  private static String littleEndian(String bits) {
    StringBuilder hex = new StringBuilder();
    for (int end = bits.length(); end > 0; end -= 8) {
      String digits = bits.substring(Math.max(0, end - 8), end);
      hex.append(HexFormat.of().toHexDigits((byte) Integer.parseInt(digits, 2)));
    }
    return hex.toString();
  }

  private static String hex(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return HexFormat.of().formatHex(copy);
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (IOException e) {
      throw new IllegalArgumentException(json, e);
    }
  }

  private static String shown(@Nullable Object found) {
    if (found instanceof ByteBuffer bytes) {
      return hex(bytes);
    }
    return found instanceof Map<?, ?> map ? new TreeMap<>(map).toString() : String.valueOf(found);
  }
}
