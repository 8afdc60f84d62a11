package io.tidemark.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;

/** Columns of the types that {@link GeneratedChanges} does not have itself, with their values. */
final class RarerColumns {
  /** Debezium's default, and what its PostgreSQL connector makes of it by type. */
  private static final String PLACEHOLDER = "__debezium_unavailable_value";

  private static final String DATA = "io.debezium.data.";
  private static final String TIME = "io.debezium.time.";
  private static final long DAY_MICROS = 86_400_000_000L;

  private record Column(Schema schema, Function<Random, Object> value, Object unavailable) {}

  private static final Schema GEOMETRY =
      SchemaBuilder.struct()
          .name(DATA + "geometry.Geometry")
          .optional()
          .field("wkb", Schema.BYTES_SCHEMA)
          .field("srid", Schema.OPTIONAL_INT32_SCHEMA)
          .build();

  private static final Schema SHAPE =
      SchemaBuilder.struct()
          .name(DATA + "geometry.Geography")
          .optional()
          .field("wkb", Schema.BYTES_SCHEMA)
          .field("srid", Schema.OPTIONAL_INT32_SCHEMA)
          .field(
              "extensions",
              SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.STRING_SCHEMA).optional().build())
          .build();

  private static final Schema LINE =
      SchemaBuilder.struct()
          .name(DATA + "geometry.Line")
          .optional()
          .field("a", Schema.FLOAT64_SCHEMA)
          .field("b", Schema.FLOAT64_SCHEMA)
          .field("c", Schema.FLOAT64_SCHEMA)
          .build();

  private static final Schema CIRCLE =
      SchemaBuilder.struct()
          .name(DATA + "geometry.Circle")
          .optional()
          .field("center", GEOMETRY)
          .field("radius", Schema.FLOAT64_SCHEMA)
          .build();

  private static final Map<String, Column> COLUMNS = new LinkedHashMap<>();

  static {
    numbers();
    texts();
    times();
    lists();
  }

  private RarerColumns() {}

  /** Adds the fields to a row's schema. */
  static SchemaBuilder in(SchemaBuilder row) {
    COLUMNS.forEach((name, column) -> row.field(name, column.schema()));
    return row;
  }

  /**
   * Puts values into a row; some columns stay null.
   *
   * @param unavailable whether some have what stands for a value that the database did not send
   */
  static void fill(Struct row, Random random, boolean unavailable) {
    COLUMNS.forEach(
        (name, column) -> {
          int kind = random.nextInt(10);
          if (kind == 0 && unavailable && column.unavailable() != null) {
            row.put(name, column.unavailable());
          } else if (kind > 1) {
            row.put(name, column.value().apply(random));
          }
        });
  }

  private static void numbers() {
    add("int8", Schema.OPTIONAL_INT8_SCHEMA, r -> (byte) r.nextInt());
    add("year", named(SchemaBuilder.int32(), TIME + "Year"), r -> 1901 + r.nextInt(255));
    add(
        "wide",
        decimal(10).parameter("connect.decimal.precision", "50").optional().build(),
        r -> new BigDecimal(new BigInteger(160, r).subtract(BigInteger.ONE.shiftLeft(159)), 10));
    add("money", decimal(2).optional().build(), r -> BigDecimal.valueOf(r.nextLong(), 2));
    add(
        "bits",
        SchemaBuilder.bytes().name(DATA + "Bits").parameter("length", "12").optional().build(),
        RarerColumns::bytes);
    add(
        "geo",
        GEOMETRY,
        r -> new Struct(GEOMETRY).put("wkb", bytes(r)).put("srid", r.nextBoolean() ? null : 4326));
    add(
        "box",
        SHAPE,
        r ->
            new Struct(SHAPE)
                .put("wkb", bytes(r))
                .put("extensions", Map.of("k", "" + r.nextInt())));
    add(
        "line",
        LINE,
        r ->
            new Struct(LINE)
                .put("a", r.nextDouble())
                .put("b", -r.nextDouble())
                .put("c", Double.NaN));
    add(
        "circle",
        CIRCLE,
        r ->
            new Struct(CIRCLE)
                .put("center", new Struct(GEOMETRY).put("wkb", bytes(r)))
                .put("radius", r.nextDouble()));
    add("blob", Schema.OPTIONAL_BYTES_SCHEMA, RarerColumns::bytes, PLACEHOLDER.getBytes(UTF_8));
  }

  private static void texts() {
    add("long_text", Schema.OPTIONAL_STRING_SCHEMA, r -> "t" + r.nextInt(), PLACEHOLDER);
    add(
        "members",
        SchemaBuilder.string()
            .name(DATA + "EnumSet")
            .parameter("allowed", "a,b")
            .optional()
            .build(),
        r -> List.of("", "a", "a,b").get(r.nextInt(3)));
    add("doc_xml", named(SchemaBuilder.string(), DATA + "Xml"), r -> "<a>" + r.nextInt() + "</a>");
    add(
        "lexemes",
        named(SchemaBuilder.string(), DATA + "Tsvector"),
        r -> "'a':1 'b':" + r.nextInt(9));
    add("tree", named(SchemaBuilder.string(), DATA + "Ltree"), r -> "a.b" + r.nextInt(9));
    add(
        "h",
        SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.OPTIONAL_STRING_SCHEMA).optional().build(),
        r -> Map.of("k", "v" + r.nextInt()),
        Map.of(PLACEHOLDER, PLACEHOLDER));
    add(
        "span",
        named(SchemaBuilder.string(), TIME + "Interval"),
        r -> "P1Y2M" + r.nextInt(30) + "D");
    add("micro_span", named(SchemaBuilder.int64(), TIME + "MicroDuration"), Random::nextLong);
    add("nano_span", named(SchemaBuilder.int64(), TIME + "NanoDuration"), Random::nextLong);
    add("timetz", named(SchemaBuilder.string(), TIME + "ZonedTime"), r -> time(r) + "Z");
  }

  private static void times() {
    add("milli_time", named(SchemaBuilder.int32(), TIME + "Time"), r -> r.nextInt(86_400_000));
    add("milli_ts", named(SchemaBuilder.int64(), TIME + "Timestamp"), r -> r.nextInt() * 1009L);
    // A column has microseconds: what is finer is another test's.
    add(
        "nano_time",
        named(SchemaBuilder.int64(), TIME + "NanoTime"),
        r -> r.nextLong(DAY_MICROS) * 1000);
    add(
        "nano_ts",
        named(SchemaBuilder.int64(), TIME + "NanoTimestamp"),
        r -> r.nextInt() * 1_000_003L * 1000);
    add("iso_date", named(SchemaBuilder.string(), TIME + "IsoDate"), r -> date(r) + "Z");
    add("iso_time", named(SchemaBuilder.string(), TIME + "IsoTime"), r -> time(r) + "Z");
    add(
        "iso_ts",
        named(SchemaBuilder.string(), TIME + "IsoTimestamp"),
        r -> LocalDateTime.of(date(r), time(r)) + "Z");
    add(
        "connect_date",
        Date.builder().optional().build(),
        r -> java.util.Date.from(date(r).atStartOfDay().toInstant(ZoneOffset.UTC)));
    add(
        "connect_time",
        Time.builder().optional().build(),
        r -> new java.util.Date(r.nextInt(86_400_000)));
    add(
        "connect_ts",
        Timestamp.builder().optional().build(),
        r -> new java.util.Date(r.nextInt() * 1009L));
  }

  private static void lists() {
    List<Integer> codes = PLACEHOLDER.chars().boxed().toList();
    list("ints", Schema.OPTIONAL_INT32_SCHEMA, Random::nextInt, codes);
    list(
        "longs",
        Schema.OPTIONAL_INT64_SCHEMA,
        Random::nextLong,
        codes.stream().map(Integer::longValue).toList());
    list("strings", Schema.OPTIONAL_STRING_SCHEMA, r -> "s" + r.nextInt(), List.of(PLACEHOLDER));
    list(
        "uuids",
        named(SchemaBuilder.string(), DATA + "Uuid"),
        r -> new UUID(r.nextLong(), r.nextLong()).toString(),
        List.of(UUID.nameUUIDFromBytes(PLACEHOLDER.getBytes(UTF_8)).toString()));
    add(
        "vector",
        named(SchemaBuilder.array(Schema.FLOAT64_SCHEMA), DATA + "DoubleVector"),
        r -> List.of(r.nextDouble(), -0.0));
    add(
        "half_vector",
        named(SchemaBuilder.array(Schema.FLOAT32_SCHEMA), DATA + "FloatVector"),
        r -> List.of(r.nextFloat(), Float.MIN_VALUE));
    list("flags", Schema.OPTIONAL_BOOLEAN_SCHEMA, Random::nextBoolean, null);
    list("doubles", Schema.OPTIONAL_FLOAT64_SCHEMA, Random::nextDouble, null);
    list("blobs", Schema.OPTIONAL_BYTES_SCHEMA, RarerColumns::bytes, null);
    list(
        "decimals",
        decimal(3).parameter("connect.decimal.precision", "9").optional().build(),
        r -> BigDecimal.valueOf(r.nextInt(1_000_000), 3),
        null);
    list("days", named(SchemaBuilder.int32(), TIME + "Date"), r -> r.nextInt(30_000), null);
    list(
        "moments",
        named(SchemaBuilder.int64(), TIME + "MicroTimestamp"),
        r -> r.nextInt() * 1_000_003L,
        null);
    list(
        "zoned",
        named(SchemaBuilder.string(), TIME + "ZonedTimestamp"),
        r -> LocalDateTime.of(date(r), time(r)) + "Z",
        null);
    list(
        "grid",
        SchemaBuilder.array(Schema.OPTIONAL_INT32_SCHEMA).optional().build(),
        r -> List.of(r.nextInt(), r.nextInt()),
        null);
  }

  private static void list(
      String name, Schema element, Function<Random, Object> value, Object unavailable) {
    add(
        name,
        SchemaBuilder.array(element).optional().build(),
        random -> {
          List<Object> values = new ArrayList<>();
          for (int i = random.nextInt(4); i > 0; i--) {
            values.add(random.nextInt(4) == 0 ? null : value.apply(random));
          }
          return values;
        },
        unavailable);
  }

  private static void add(String name, Schema schema, Function<Random, Object> value) {
    add(name, schema, value, null);
  }

  private static void add(
      String name, Schema schema, Function<Random, Object> value, Object unavailable) {
    COLUMNS.put(name, new Column(schema, value, unavailable));
  }

  private static Schema named(SchemaBuilder builder, String name) {
    return builder.name(name).optional().build();
  }

  private static SchemaBuilder decimal(int scale) {
    return Decimal.builder(scale);
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(9)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static LocalDate date(Random random) {
    return LocalDate.ofEpochDay(random.nextInt(40_000) - 10_000);
  }

  private static LocalTime time(Random random) {
    return LocalTime.ofNanoOfDay(random.nextLong(DAY_MICROS) * 1000);
  }
}
