package io.tidemark.debezium;

import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static io.tidemark.debezium.InventedKeyTest.KEY;
import static io.tidemark.debezium.InventedKeyTest.decoder;
import static io.tidemark.debezium.InventedKeyTest.flat;
import static io.tidemark.debezium.InventedKeyTest.rewrite;
import static io.tidemark.debezium.InventedKeyTest.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.avro.InMemoryAvro;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys of deletes that are the default in the schema of their messages. */
class InventedDefaultTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "string | \"type\":\"string\" | \"new\" | \"new\" | \"old\"",
        "boolean | \"type\":\"boolean\" | true | true | false",
        "long | \"type\":\"int32\" | 5 | 5 | 6",
        "'decimal(9,2)' | " + DECIMAL + " | \"AJY=\" | 1.50 | \"AJc=\"",
        "'decimal(9,2)' | " + DECIMAL + " | 1.5 | \"AJY=\" | 1.51",
        "'decimal(38,20)' | " + WIDE + " | 1.00000000000000000001 | 1.00000000000000000001 | 1.0",
        "date | \"type\":\"int32\",\"name\":\"io.debezium.time.Date\" | 3 | 3 | 4",
        "timestamptz | "
            + ZONED
            + " | \"2020-01-01T01:00:00+01:00\" | \"2020-01-01T00:00:00Z\""
            + " | \"2020-01-01T00:00:01Z\"",
        "binary | \"type\":\"bytes\" | \"AAE=\" | \"AAE=\" | \"AAI=\"",
        "uuid | \"type\":\"string\",\"name\":\"io.debezium.data.Uuid\""
            + " | \"00000000-0000-0000-0000-00000000000a\""
            + " | \"00000000-0000-0000-0000-00000000000A\""
            + " | \"00000000-0000-0000-0000-00000000000b\""
      })
  void theDefaultInTheSchemaMayBeInvented(
      String type, String schema, String byDefault, String equal, String other) {
    for (String connect : List.of(schema, schema + ",\"optional\":true")) {
      String described = connect + ",\"default\":" + byDefault;
      if (!other.equals("false")) { // is nothing, whatever the default is
        assertThat(withSchemas(type, described, other)).allMatch(o -> o.startsWith("DELETE {k="));
      }
      assertThat(withSchemas(type, described, equal))
          .allMatch(o -> o.contains(": found the column's default, which may be invented"));
      assertThat(withSchemas(type, connect, equal)).allMatch(o -> o.startsWith("DELETE {k="));
      assertThat(withSchemas(type, connect + ",\"default\":null", equal))
          .allMatch(o -> o.startsWith("DELETE {k="));
    }
  }

  private static final String DECIMAL =
      "\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\","
          + "\"parameters\":{\"scale\":\"2\",\"connect.decimal.precision\":\"9\"}";

  private static final String WIDE =
      "\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\","
          + "\"parameters\":{\"scale\":\"20\",\"connect.decimal.precision\":\"38\"}";

  private static final String ZONED =
      "\"type\":\"string\",\"name\":\"io.debezium.time.ZonedTimestamp\"";

  @Test
  void aDefaultThatCannotBeReadMayBeAnything() {
    assertThat(withSchemas("long", "\"type\":\"int64\",\"default\":\"x\"", "7"))
        .allMatch(
            o ->
                o.contains(
                    ": found a value that is not compared with the column's default, which cannot be"
                        + " read (expected a 64-bit integer, found a string), which may be invented"));
  }

  /** Decoders remember the defaults of one schema. */
  @Test
  void eachSchemaHasItsOwnDefaults() {
    ChangeDecoder decoder = decoder("long", false);
    String five = enveloped("\"type\":\"int64\",\"default\":5", "int64", "5");
    String six = enveloped("\"type\":\"int64\",\"default\":6", "int64", "5");
    String none = InventedKeyTest.enveloped("postgresql", "{\"id\":1,\"k\":5}");
    for (int i = 0; i < 2; i++) {
      assertThat(text(decoder.decode(record(KEY, five)))).contains("the column's default");
      assertThat(text(decoder.decode(record(KEY, six)))).startsWith("DELETE {k=5}");
      assertThat(text(decoder.decode(record(KEY, five)))).contains("the column's default");
      assertThat(text(decoder.decode(record(KEY, none)))).startsWith("DELETE {k=5}");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "string | \"string\" | \"new\" | 066e6577 | 066f6c64",
        "boolean | \"boolean\" | true | 01 |",
        "long | \"long\" | 5 | 0a | 0c",
        "int | \"int\" | 5 | 0a | 0c",
        "binary | \"bytes\" | \"\\u0000\\u00ff\" | 0400ff | 0400fe",
        "'decimal(9,2)' | " + AVRO_DECIMAL + " | \"\\u0000\\u0096\" | 040096 | 040097",
        "string(decimal) | "
            + AVRO_NUMBER
            + " | '{\"scale\":1,\"value\":\"\\u000f\"}' | 02020f |"
            + " 020210"
      })
  void theDefaultInAnAvroSchemaMayBeInvented(
      String type, String schema, String byDefault, String equal, @Nullable String other) {
    ChangeDecoder decoder = avroDecoder(type, schema, byDefault);
    String deleted = "0874727565";
    assertThat(text(decoder.decode(avro("0000000002" + "02" + equal + deleted))))
        .contains(": found the column's default, which may be invented");
    if (other != null) {
      assertThat(text(decoder.decode(avro("0000000002" + "02" + other + deleted))))
          .startsWith("DELETE {k=");
    }
  }

  /**
   * Registries check defaults; Avro ends with exceptions of several kinds over one that misfits.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "string | \"string\" | [1] | 0278",
        "long | \"long\" | [1] | 0a",
        "long | \"long\" | {\"q\":1} | 0a",
        "long | \"long\", \"default\":1},{\"name\":\"r\",\"type\":{\"type\":\"record\",\"name\":\"R\","
            + "\"fields\":[]} | {\"q\":1} | 0a"
      })
  void aDefaultThatMisfitsItsAvroTypeIsNoException(
      String type, String schema, String byDefault, String value) {
    String decoded =
        text(
            avroDecoder(type, schema, byDefault)
                .decode(avro("0000000002" + "02" + value + "0874727565")));

    if (schema.contains("record")) {
      assertThat(decoded).as("of a column that is no key").startsWith("DELETE {k=5}");
    } else {
      assertThat(decoded)
          .contains(
              "found a value that is not compared with the column's default, which cannot be");
    }
  }

  private static ChangeDecoder avroDecoder(String type, String schema, String byDefault) {
    String row =
        """
        {"type":"record","name":"Value","fields":[{"name":"id","type":"long"},\
        {"name":"k","type":%s,"default":%s},{"name":"__deleted","type":"string"}]}""";
    InMemoryAvro format =
        new InMemoryAvro(
            Map.of(
                1L,
                "{\"type\":\"record\",\"name\":\"Key\",\"fields\":"
                    + "[{\"name\":\"id\",\"type\":\"long\"}]}",
                2L,
                row.formatted(schema, byDefault)));
    RowShape shape = Events.shape("id: long", "k*: " + type);
    DecoderSettings settings =
        settings(type, false)
            .withFormat(format, rewrite())
            .withVersion(new VersionScheme.KafkaOffset());
    return ChangeDecoder.of(shape, settings, new TextRow(shape));
  }

  private static final String AVRO_DECIMAL =
      "{\"type\":\"bytes\",\"connect.name\":\"org.apache.kafka.connect.data.Decimal\","
          + "\"connect.parameters\":{\"scale\":\"2\",\"connect.decimal.precision\":\"9\"}}";

  private static final String AVRO_NUMBER =
      "{\"type\":\"record\",\"name\":\"VariableScaleDecimal\","
          + "\"connect.name\":\"io.debezium.data.VariableScaleDecimal\",\"fields\":"
          + "[{\"name\":\"scale\",\"type\":\"int\"},{\"name\":\"value\",\"type\":\"bytes\"}]}";

  private static RawRecord avro(String value) {
    RawRecord plain = record(null, null);
    HexFormat hex = HexFormat.of();
    return new RawRecord(
        plain.at(), 1000, hex.parseHex("000000000102"), hex.parseHex(value), Map.of());
  }

  /** The same with schemas. */
  private static List<String> withSchemas(String type, String k, String value) {
    String flat =
        """
        {"schema":{"type":"struct","fields":[{"field":"id","type":"int64"},{"field":"k",%s},\
        {"field":"__deleted","type":"string"}]},"payload":{"id":1,"k":%s,"__deleted":"true"}}"""
            .formatted(k, value);
    return List.of(
        text(decoder(type, false).decode(record(KEY, enveloped(k, "int64", value)))),
        text(flat(type, false).decode(record(KEY, flat))));
  }

  private static String enveloped(String k, String id, String value) {
    String row =
        """
        {"field":"%s","type":"struct","fields":[{"field":"id","type":"%s"},{"field":"k",%s}]}""";
    return "{\"schema\":{\"type\":\"struct\",\"fields\":["
        + row.formatted("before", id, k)
        + ","
        + row.formatted("after", id, k)
        + "]},\"payload\":"
        + InventedKeyTest.enveloped("postgresql", "{\"id\":1,\"k\":" + value + "}")
        + "}";
  }
}
