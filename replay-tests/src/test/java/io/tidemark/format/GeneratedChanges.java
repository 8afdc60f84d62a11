package io.tidemark.format;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Changes as Debezium's PostgreSQL connector hands them to Kafka Connect, of every type family. */
final class GeneratedChanges {
  private static final Schema VARIABLE =
      SchemaBuilder.struct()
          .name("io.debezium.data.VariableScaleDecimal")
          .optional()
          .field("scale", Schema.INT32_SCHEMA)
          .field("value", Schema.BYTES_SCHEMA)
          .build();

  private static final Schema POINT =
      SchemaBuilder.struct()
          .name("io.debezium.data.geometry.Point")
          .optional()
          .field("x", Schema.FLOAT64_SCHEMA)
          .field("y", Schema.FLOAT64_SCHEMA)
          .field("wkb", Schema.OPTIONAL_BYTES_SCHEMA)
          .field("srid", Schema.OPTIONAL_INT32_SCHEMA)
          .build();

  static final Schema ROW =
      RarerColumns.in(
              SchemaBuilder.struct()
                  .name("s.t.Value")
                  .optional()
                  .field("id", Schema.INT64_SCHEMA)
                  .field("name", Schema.OPTIONAL_STRING_SCHEMA)
                  .field("small", Schema.OPTIONAL_INT16_SCHEMA)
                  .field("flag", Schema.OPTIONAL_BOOLEAN_SCHEMA)
                  .field(
                      "price",
                      Decimal.builder(2)
                          .parameter("connect.decimal.precision", "9")
                          .optional()
                          .build())
                  .field("any", VARIABLE)
                  .field("f", Schema.OPTIONAL_FLOAT32_SCHEMA)
                  .field("d", Schema.OPTIONAL_FLOAT64_SCHEMA)
                  .field("bin", Schema.OPTIONAL_BYTES_SCHEMA)
                  .field("uid", named(SchemaBuilder.string(), "io.debezium.data.Uuid"))
                  .field("doc", named(SchemaBuilder.string(), "io.debezium.data.Json"))
                  .field(
                      "kind",
                      SchemaBuilder.string()
                          .name("io.debezium.data.Enum")
                          .parameter("allowed", "a,b")
                          .optional()
                          .build())
                  .field("day", named(SchemaBuilder.int32(), "io.debezium.time.Date"))
                  .field("clock", named(SchemaBuilder.int64(), "io.debezium.time.MicroTime"))
                  .field("ts", named(SchemaBuilder.int64(), "io.debezium.time.MicroTimestamp"))
                  .field("tz", named(SchemaBuilder.string(), "io.debezium.time.ZonedTimestamp"))
                  .field(
                      "tags", SchemaBuilder.array(Schema.OPTIONAL_STRING_SCHEMA).optional().build())
                  .field(
                      "attributes",
                      SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.OPTIONAL_STRING_SCHEMA)
                          .optional()
                          .build())
                  .field("place", POINT))
          .build();

  private static final Schema SOURCE =
      SchemaBuilder.struct()
          .name("io.debezium.connector.postgresql.Source")
          .field("connector", Schema.STRING_SCHEMA)
          .field("ts_ms", Schema.INT64_SCHEMA)
          .field("ts_us", Schema.OPTIONAL_INT64_SCHEMA)
          .field("snapshot", Schema.OPTIONAL_STRING_SCHEMA)
          .field("sequence", Schema.OPTIONAL_STRING_SCHEMA)
          .field("txId", Schema.OPTIONAL_INT64_SCHEMA)
          .field("lsn", Schema.OPTIONAL_INT64_SCHEMA)
          .build();

  private static final Schema TRANSACTION =
      SchemaBuilder.struct()
          .name("event.block")
          .optional()
          .field("id", Schema.STRING_SCHEMA)
          .field("total_order", Schema.INT64_SCHEMA)
          .field("data_collection_order", Schema.INT64_SCHEMA)
          .build();

  private static final Schema ENVELOPE =
      SchemaBuilder.struct()
          .name("s.t.Envelope")
          .field("before", ROW)
          .field("after", ROW)
          .field("source", SOURCE)
          .field("transaction", TRANSACTION)
          .field("op", Schema.STRING_SCHEMA)
          .field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA)
          .build();

  private final Random random;
  private final boolean unavailable;
  private final Schema key;
  private long lsn = 1000;

  /**
   * Makes them, with {@code id} as key.
   *
   * @param unavailable whether some columns have what stands for a value that was not sent
   */
  GeneratedChanges(Random random, boolean unavailable) {
    this(random, unavailable, List.of("id"));
  }

  /** The same with a key of other columns, in another order than the row's if that is theirs. */
  GeneratedChanges(Random random, boolean unavailable, List<String> keyColumns) {
    this.random = random;
    this.unavailable = unavailable;
    SchemaBuilder fields = SchemaBuilder.struct().name("s.t.Key");
    keyColumns.forEach(column -> fields.field(column, required(ROW.field(column).schema())));
    key = fields.build();
  }

  private static Schema required(Schema schema) {
    SchemaBuilder required = new SchemaBuilder(schema.type()).name(schema.name());
    if (schema.parameters() != null) {
      schema.parameters().forEach(required::parameter);
    }
    return required.build();
  }

  private static Schema named(SchemaBuilder builder, String name) {
    return builder.name(name).optional().build();
  }

  SourceRecord next() {
    String op = List.of("c", "u", "d", "r").get(random.nextInt(4));
    Struct row = row();
    lsn += random.nextInt(100);
    Struct source =
        new Struct(SOURCE)
            .put("connector", "postgresql")
            .put("ts_ms", 1_700_000_000_000L + lsn)
            .put("ts_us", (1_700_000_000_000L + lsn) * 1000 + 1)
            .put("snapshot", op.equals("r") ? "true" : random.nextBoolean() ? "false" : null)
            .put(
                "sequence", op.equals("r") ? "[null,\"" + lsn + "\"]" : "[\"900\",\"" + lsn + "\"]")
            .put("txId", 7L)
            .put("lsn", lsn);
    Struct envelope =
        new Struct(ENVELOPE)
            .put(op.equals("d") ? "before" : "after", row)
            .put("source", source)
            .put("transaction", random.nextBoolean() ? transaction() : null)
            .put("op", op)
            .put("ts_ms", 5L);
    Struct keyOfRow = new Struct(key);
    key.fields().forEach(column -> keyOfRow.put(column, row.get(column.name())));
    return new SourceRecord(Map.of(), Map.of(), "s.t", 0, key, keyOfRow, ENVELOPE, envelope);
  }

  private Struct transaction() {
    return new Struct(TRANSACTION)
        .put("id", "7:1")
        .put("total_order", (long) random.nextInt(50))
        .put("data_collection_order", 1L);
  }

  private Struct row() {
    Struct row = new Struct(ROW).put("id", (long) random.nextInt(100));
    List<Object> values =
        Arrays.asList(
            text(),
            (short) random.nextInt(),
            random.nextBoolean(),
            BigDecimal.valueOf(random.nextInt(1_999_999) - 999_999, 2),
            new Struct(VARIABLE)
                .put("scale", random.nextInt(5))
                .put("value", BigInteger.valueOf(random.nextLong()).toByteArray()),
            real(random.nextFloat()).floatValue(),
            real(random.nextDouble() * 1e30).doubleValue(),
            bytes(),
            new UUID(random.nextLong(), random.nextLong()).toString(),
            "{\"a\": " + random.nextInt() + "}",
            random.nextBoolean() ? "a" : "b",
            random.nextInt(40_000) - 10_000,
            (long) (random.nextDouble() * 86_399_999_999L),
            random.nextInt() * 1_000_003L,
            Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1000L).toString(),
            texts(),
            attributes(),
            new Struct(POINT)
                .put("x", random.nextDouble())
                .put("y", -random.nextDouble())
                .put("wkb", bytes())
                .put("srid", 4326));
    for (int i = 0; i < values.size(); i++) {
      Field column = ROW.fields().get(i + 1);
      if (random.nextInt(5) > 0 || key.field(column.name()) != null) {
        row.put(column, values.get(i));
      }
    }
    RarerColumns.fill(row, random, unavailable);
    return row;
  }

  private Number real(double value) {
    return switch (random.nextInt(8)) {
      case 0 -> Double.NaN;
      case 1 -> Double.POSITIVE_INFINITY;
      case 2 -> Double.NEGATIVE_INFINITY;
      default -> value;
    };
  }

  private String text() {
    return List.of("", "plain", "ü\ud83d\ude00\u0000\"\\", "null", "17", "\ufffd")
        .get(random.nextInt(6));
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(9)];
    random.nextBytes(bytes);
    return bytes;
  }

  private List<@Nullable String> texts() {
    List<@Nullable String> texts = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      texts.add(random.nextInt(3) == 0 ? null : text());
    }
    return texts;
  }

  private Map<String, @Nullable String> attributes() {
    Map<String, @Nullable String> attributes = new TreeMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      attributes.put("k" + i, random.nextInt(3) == 0 ? null : text());
    }
    return attributes;
  }
}
