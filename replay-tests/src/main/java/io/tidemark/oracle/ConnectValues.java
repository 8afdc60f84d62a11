package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values in JSON, made what their Kafka Connect schema says they are. */
final class ConnectValues {

  /** Signals a value that no table can hold. */
  static final class Unrepresentable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unrepresentable(String what) {
      super(what);
    }
  }

  // PostgreSQL's infinity, as Debezium writes it where the type is a number. What lies before the
  // first day that PostgreSQL knows is infinite too, or a number that overflowed.
  private static final long INFINITE_MICROS = 9223372036825200000L;
  private static final String INFINITE_TEXT = "+294247-01-10T04:00:25.2";
  private static final LocalDate FIRST_DAY = LocalDate.of(-4712, 1, 1);

  // The last microsecond that 64 bits count to.
  private static final OffsetDateTime LAST_INSTANT =
      Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);

  private ConnectValues() {}

  /**
   * Converts one value.
   *
   * @param schema as Connect's JSON converter writes it: type, name, parameters, items, fields
   * @throws Unrepresentable if it is infinite where that cannot be said
   */
  static @Nullable Object of(JsonNode schema, JsonNode value) {
    if (value.isNull() || value.isMissingNode()) {
      return null;
    }
    String name = schema.path("name").asText();
    return switch (name) {
      case "org.apache.kafka.connect.data.Decimal" ->
          value.isNumber()
              ? value.decimalValue()
              : new BigDecimal(
                  unscaled(value),
                  Integer.parseInt(schema.path("parameters").path("scale").asText()));
      case "io.debezium.data.VariableScaleDecimal" ->
          value.isTextual()
              ? variable(value.asText()) // a column declared as string(decimal) holds either
              : new BigDecimal(unscaled(value.path("value")), value.path("scale").intValue());
      case "io.debezium.data.Uuid" -> UUID.fromString(value.asText());
      default ->
          name.contains(".time.") || name.startsWith("org.apache.kafka.connect.data.")
              ? time(name, value)
              : plain(schema, value);
    };
  }

  /** The same in a key, where equal numbers are one value whatever their zeros. */
  static @Nullable Object ofKey(JsonNode schema, JsonNode value) {
    Object key = of(schema, value);
    if (!(key instanceof BigDecimal number)) {
      return key;
    }
    BigDecimal shortest = number.stripTrailingZeros();
    return shortest.scale() < 0 ? shortest.setScale(0) : shortest;
  }

  private static Object variable(String text) {
    return switch (text) {
      case "NAN", "NaN" -> "NaN";
      case "POSITIVE_INFINITY", "Infinity" -> "Infinity";
      case "NEGATIVE_INFINITY", "-Infinity" -> "-Infinity";
      default -> new BigDecimal(text);
    };
  }

  private static BigInteger unscaled(JsonNode base64) {
    return new BigInteger(Base64.getDecoder().decode(base64.asText()));
  }

  private static Object time(String name, JsonNode value) {
    return switch (name) {
      case "io.debezium.time.Date", "org.apache.kafka.connect.data.Date" ->
          date(LocalDate.ofEpochDay(value.intValue()));
      case "io.debezium.time.Time", "org.apache.kafka.connect.data.Time" ->
          ofDay(value.longValue() * 1_000_000);
      case "io.debezium.time.MicroTime" -> ofDay(value.longValue() * 1_000);
      case "io.debezium.time.NanoTime" -> ofDay(value.longValue());
      case "io.debezium.time.Timestamp", "org.apache.kafka.connect.data.Timestamp" ->
          timestamp(value.longValue(), ChronoUnit.MILLIS);
      case "io.debezium.time.MicroTimestamp" -> timestamp(value.longValue(), ChronoUnit.MICROS);
      case "io.debezium.time.NanoTimestamp" -> timestamp(value.longValue(), ChronoUnit.NANOS);
      case "io.debezium.time.ZonedTimestamp" -> zoned(value.asText());
      case "io.debezium.time.IsoDate" -> date(LocalDate.parse(local(value.asText())));
      case "io.debezium.time.IsoTime" -> LocalTime.parse(local(value.asText()));
      case "io.debezium.time.IsoTimestamp" -> isoTimestamp(local(value.asText()));
      case "io.debezium.time.Year" -> value.intValue();
      case "io.debezium.time.MicroDuration", "io.debezium.time.NanoDuration" -> value.longValue();
      default -> value.isTextual() ? value.asText() : (Object) value.longValue();
    };
  }

  /** Without the zone, which says nothing. */
  private static String local(String text) {
    if (text.endsWith("infinity")) {
      throw new Unrepresentable("time " + text);
    }
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
  }

  private static LocalTime ofDay(long nanos) {
    if (nanos < 0 || nanos > LocalTime.MAX.toNanoOfDay()) {
      throw new Unrepresentable("time of " + nanos + " ns");
    }
    return LocalTime.ofNanoOfDay(nanos);
  }

  private static LocalDate date(LocalDate date) {
    if (date.isBefore(FIRST_DAY.minusYears(1))) {
      throw new Unrepresentable("date " + date);
    }
    return date;
  }

  private static LocalDateTime timestamp(long amount, ChronoUnit unit) {
    LocalDateTime time = LocalDateTime.ofInstant(Instant.EPOCH.plus(amount, unit), ZoneOffset.UTC);
    if (time.toLocalDate().isBefore(FIRST_DAY.minusYears(1))
        || (unit == ChronoUnit.MICROS && amount == INFINITE_MICROS)) {
      throw new Unrepresentable("timestamp " + amount);
    }
    return time;
  }

  private static LocalDateTime isoTimestamp(String text) {
    LocalDateTime time = LocalDateTime.parse(text);
    if (time.getYear() < FIRST_DAY.getYear() - 1 || text.equals(INFINITE_TEXT)) {
      throw new Unrepresentable("timestamp " + text);
    }
    return time;
  }

  private static OffsetDateTime zoned(String text) {
    if (text.endsWith("infinity")) {
      throw new Unrepresentable("timestamptz " + text);
    }
    OffsetDateTime time = OffsetDateTime.parse(text).withOffsetSameInstant(ZoneOffset.UTC);
    if (time.isAfter(LAST_INSTANT)) {
      throw new Unrepresentable("timestamptz " + text);
    }
    return time;
  }

  private static Object plain(JsonNode schema, JsonNode value) {
    return switch (schema.path("type").asText()) {
      case "boolean" -> value.booleanValue();
      case "int8", "int16", "int32" -> value.intValue();
      case "int64" -> value.longValue();
      case "float" -> (float) floating(value);
      case "double" -> floating(value);
      case "bytes" -> ByteBuffer.wrap(Base64.getDecoder().decode(value.asText()));
      case "string" -> value.asText();
      case "array" -> list(schema.path("items"), value);
      case "map" -> map(schema.path("values"), value);
      case "struct" -> struct(schema.path("fields"), value);
      default -> throw new IllegalArgumentException("No such type: " + schema);
    };
  }

  private static double floating(JsonNode value) {
    return value.isTextual() ? Double.parseDouble(value.asText()) : value.doubleValue();
  }

  private static List<@Nullable Object> list(JsonNode items, JsonNode value) {
    List<@Nullable Object> list = new ArrayList<>();
    value.forEach(element -> list.add(of(items, element)));
    return list;
  }

  private static Map<String, @Nullable Object> map(JsonNode values, JsonNode value) {
    Map<String, @Nullable Object> map = new TreeMap<>();
    value.properties().forEach(entry -> map.put(entry.getKey(), of(values, entry.getValue())));
    return map;
  }

  static Map<String, @Nullable Object> struct(JsonNode fields, JsonNode value) {
    Map<String, @Nullable Object> struct = new TreeMap<>();
    for (JsonNode field : fields) {
      String name = field.path("field").asText();
      struct.put(name, of(field, value.path(name)));
    }
    return struct;
  }
}
