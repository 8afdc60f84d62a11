package io.tidemark.format;

import static java.util.stream.Collectors.joining;

import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.row.ColumnType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Columns of each form that a configuration may declare where messages have no schema, with a value
 * as a message has it and as a table holds it.
 */
final class DeclaredColumns {
  private static final LocalDateTime SECOND = LocalDateTime.of(1970, 1, 1, 0, 0, 1);

  private record Form(String declared, String json, Object held) {}

  private static final List<Form> FORMS =
      List.of(
          new Form("boolean", "true", true),
          new Form("int", "7", 7),
          new Form("long", "7", 7L),
          new Form("float", "1.5", 1.5f),
          new Form("double", "'-Infinity'", Double.NEGATIVE_INFINITY),
          new Form("binary", "'AQI='", ByteBuffer.wrap(new byte[] {1, 2})),
          new Form("uuid", "'00000000-0000-0000-0000-000000000001'", new UUID(0, 1)),
          new Form("string", "'a'", "a"),
          new Form("string(decimal)", "'1E+2'", "100"),
          new Form("string(decimal)", "{'scale': 2, 'value': 'AJY='}", "1.50"),
          new Form("string(decimal)", "'NAN'", "NaN"),
          new Form("string(decimal)", "'NEGATIVE_INFINITY'", "-Infinity"),
          new Form("string(boolean)", "true", "true"),
          new Form("string(decimal, 1)", "'Dw=='", "1.5"),
          new Form("decimal(9, 1)", "'Dw=='", new BigDecimal("1.5")),
          new Form("decimal(9, 1, text)", "'1.5'", new BigDecimal("1.5")),
          new Form("date", "1", LocalDate.of(1970, 1, 2)),
          new Form("date(iso)", "'2026-01-01Z'", LocalDate.of(2026, 1, 1)),
          new Form("time(millis)", "1000", LocalTime.of(0, 0, 1)),
          new Form("time(micros)", "1000000", LocalTime.of(0, 0, 1)),
          new Form("time(nanos)", "1000000000", LocalTime.of(0, 0, 1)),
          new Form("time(iso)", "'00:00:01Z'", LocalTime.of(0, 0, 1)),
          new Form("timestamp(millis)", "1000", SECOND),
          new Form("timestamp(micros)", "1000000", SECOND),
          new Form("timestamp(nanos)", "1000000000", SECOND),
          new Form("timestamp(iso)", "'1970-01-01T00:00:01Z'", SECOND),
          new Form("timestamptz", "'1970-01-01T01:00:01+01:00'", SECOND.atOffset(ZoneOffset.UTC)),
          new Form("timestamptz(millis)", "1000", SECOND.atOffset(ZoneOffset.UTC)),
          new Form("timestamptz(micros)", "1000000", SECOND.atOffset(ZoneOffset.UTC)),
          new Form("timestamptz(nanos)", "1000000000", SECOND.atOffset(ZoneOffset.UTC)),
          new Form("list<date(iso)>", "['2026-01-01']", List.of(LocalDate.of(2026, 1, 1))),
          new Form("map<string, time(nanos)>", "{'a': 0}", Map.of("a", LocalTime.MIDNIGHT)));

  private DeclaredColumns() {}

  /** The value of {@code columns}, in the flow style of YAML. */
  static String yaml() {
    StringBuilder yaml = new StringBuilder("{id: long");
    for (int i = 0; i < FORMS.size(); i++) {
      yaml.append(", c").append(i).append(": '").append(FORMS.get(i).declared()).append('\'');
    }
    return yaml.append('}').toString();
  }

  /** The columns of a row as members of a JSON object. */
  static String json() {
    return IntStream.range(0, FORMS.size())
        .mapToObj(i -> "'c" + i + "': " + FORMS.get(i).json())
        .collect(joining(", "))
        .replace('\'', '"');
  }

  /** What the table holds of them, by declaration and value. */
  static Map<String, Object> held(Function<String, Object> columns) {
    Map<String, Object> held = new LinkedHashMap<>();
    for (int i = 0; i < FORMS.size(); i++) {
      held.put(FORMS.get(i).declared() + " " + FORMS.get(i).json(), columns.apply("c" + i));
    }
    return held;
  }

  /** What it has to hold. */
  static Map<String, Object> expected() {
    return held(column -> FORMS.get(Integer.parseInt(column.substring(1))).held());
  }

  /** Forms of types without parts that have no column here. */
  static Set<String> forgotten() {
    Set<String> forms = new TreeSet<>();
    List<ColumnType> types = new ArrayList<>(List.of(ColumnType.Simple.values()));
    types.add(new ColumnType.Decimal(9, 1));
    for (ColumnType type : types) {
      for (Encoding encoding : Encoding.Simple.values()) {
        try {
          forms.add(new ColumnSpec(type, encoding).toString());
        } catch (IllegalArgumentException noSuchForm) {
          continue;
        }
      }
    }
    forms.removeAll(List.of("time", "timestamp")); // numbers of no unit are refused
    FORMS.forEach(form -> forms.remove(ColumnSpec.parse(form.declared()).toString()));
    return forms;
  }
}
