package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
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
    return differences(corpus, rows(table));
  }

  /**
   * The cells that differ.
   *
   * @param rows by id the rows, with values as Iceberg's generic reader returns them
   * @return {@code id.column = found}, and {@code id is missing} or {@code id is too much}
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

  private static Map<String, Map<String, @Nullable Object>> rows(Table table) {
    Map<String, Map<String, @Nullable Object>> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        rows.put(record.getField("id").toString(), map(table.schema().asStruct(), record));
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
          .equals("(" + number(point.get("x")) + "," + number(point.get("y")) + ")");
    }
    if (column.equals("c_hstore") || column.equals("h")) {
      return json.equals(tree(found.toString()));
    }
    if (found instanceof ByteBuffer bytes && (column.contains("bit"))) {
      return hex(bytes).equals(littleEndian(text.asText()));
    }
    boolean asText = column.startsWith("c_json") || !json.isTextual();
    return found.equals(like(found, asText ? text.asText() : json.asText(), text.asText()));
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
      return text.matches("-?[0-9]+") ? Long.valueOf(text) : null;
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
      return ByteBuffer.wrap(HexFormat.of().parseHex(text.substring(2)));
    }
    return time(type, text);
  }

  private static @Nullable Object time(Object type, String text) {
    if (text.endsWith("infinity")) {
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
