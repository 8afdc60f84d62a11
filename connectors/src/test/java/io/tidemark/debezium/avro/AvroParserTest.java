package io.tidemark.debezium.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.BrokenInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.registry.RegisteredSchema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Avro's own writer wrote comes out as the JSON that Kafka Connect's converter writes. */
class AvroParserTest {
  private static final String ALL =
      """
      {"type": "record", "name": "x.All", "fields": [
        {"name": "b", "type": "boolean"},
        {"name": "i", "type": "int"},
        {"name": "l", "type": "long"},
        {"name": "f", "type": "float"},
        {"name": "d", "type": ["null", "double"]},
        {"name": "s", "type": "string"},
        {"name": "y", "type": "bytes"},
        {"name": "x", "type": {"type": "fixed", "name": "F", "size": 2}},
        {"name": "e", "type": {"type": "enum", "name": "E", "symbols": ["A", "B"]}},
        {"name": "a", "type": {"type": "array", "items": ["null", "int"]}},
        {"name": "m", "type": {"type": "map", "values": "long"}},
        {"name": "r", "type": ["null", {"type": "record", "name": "R", "fields": [
          {"name": "z", "type": "int"}]}]},
        {"name": "again", "type": ["R", "null"]},
        {"name": "n", "type": "null"}]}
      """;

  @Test
  void everyTypeComesOutAsJson() throws Exception {
    Schema schema = new Schema.Parser().parse(ALL);
    Schema inner = schema.getField("r").schema().getTypes().get(1);
    GenericData.Record row =
        new GenericRecordBuilder(schema)
            .set("b", true)
            .set("i", Integer.MIN_VALUE)
            .set("l", Long.MAX_VALUE)
            .set("f", 0.1f)
            .set("d", Double.NEGATIVE_INFINITY)
            .set("s", "ü\ud83d\ude00\"")
            .set("y", ByteBuffer.wrap(new byte[] {1, -1, 0}))
            .set("x", new GenericData.Fixed(schema.getField("x").schema(), new byte[] {7, 8}))
            .set("e", new GenericData.EnumSymbol(schema.getField("e").schema(), "B"))
            .set("a", Arrays.asList(1, null, -3))
            .set("m", Map.of("k", -1L))
            .set("r", new GenericRecordBuilder(inner).set("z", 5).build())
            .set("again", null)
            .set("n", null)
            .build();

    assertThat(json(schema, row))
        .isEqualTo(
            "{\"b\":true,\"i\":-2147483648,\"l\":9223372036854775807,\"f\":0.1,\"d\":\"-Infinity\","
                + "\"s\":\"ü\ud83d\ude00\\\"\",\"y\":\"Af8A\",\"x\":\"Bwg=\",\"e\":\"B\","
                + "\"a\":[1,null,-3],\"m\":{\"k\":-1},\"r\":{\"z\":5},\"again\":null,\"n\":null}");
  }

  @Test
  void emptyListsAndManyBlocksComeOutWhole() throws Exception {
    Schema longs = new Schema.Parser().parse("{\"type\":\"array\",\"items\":\"long\"}");

    assertThat(json(longs, List.of())).isEqualTo("[]");
    // Two blocks, the first with its size, as writers may have it.
    byte[] blocks = {3, 4, 2, 4, 2, 6, 0};
    assertThat(json(compiled(longs.toString()), blocks)).isEqualTo("[1,2,3]");
  }

  @Test
  void numbersKeepTheirWidth() throws Exception {
    Schema longs = new Schema.Parser().parse("{\"type\":\"array\",\"items\":\"long\"}");
    try (JsonParser in = parser(longs, List.of(1L, 1L << 40))) {
      in.nextToken();
      in.nextToken();
      assertThat(in.getNumberType()).isEqualTo(JsonParser.NumberType.INT);
      in.nextToken();
      assertThat(in.getNumberType()).isEqualTo(JsonParser.NumberType.LONG);
      assertThatThrownBy(in::getIntValue).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "\"string\" / 1 / Avro with a negative length",
        "\"bytes\" / -2 -1 -1 -1 15 / ends early",
        "\"bytes\" / -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 1 / more than 64 bits",
        "\"int\" / -128 -128 -128 -128 32 / more than 32 bits",
        "\"boolean\" / 2 / another byte than 0 and 1",
        "\"double\" / 0 0 0 / ends early",
        "\"string\" / 2 -1 / not UTF-8",
        "[\"null\",\"int\"] / 4 / a union branch that its schema does not have",
        "[\"null\",\"int\"] / 1 / a union branch that its schema does not have",
        "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"A\"]} / 2 / an enum symbol",
        "{\"type\":\"array\",\"items\":\"int\"} / 1 1 / a block of impossible size",
        "{\"type\":\"array\",\"items\":\"int\"} / -1 -1 -1 -1 -1 -1 -1 -1 -1 1 0 / impossible size",
        "{\"type\":\"array\",\"items\":\"int\"} / -2 -1 -1 -1 -1 -1 -1 -1 -1 1 / ends early",
        "{\"type\":\"array\",\"items\":\"null\"} / -2 -1 -1 -1 -1 -1 -1 -1 -1 1 / take no bytes",
        "\"null\" / 0 0 / found 2 bytes more"
      })
  void bytesThatCannotBeAreRefusedInBoundedTime(String bomb) throws Exception {
    String[] parts = bomb.split(" / ");
    String[] numbers = parts[1].split(" ");
    byte[] bytes = new byte[numbers.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = Byte.parseByte(numbers[i]);
    }

    assertThatThrownBy(
            () -> {
              try (JsonParser in = new AvroParser(compiled(parts[0]).type(), bytes, 0)) {
                while (in.nextToken() != null) {
                  in.getText();
                }
              }
            })
        .isInstanceOf(BrokenInput.class)
        .hasMessageContaining(parts[2]);
  }

  @Test
  void schemasThatAreBombsAreRefused() {
    assertThatThrownBy(
            () ->
                compiled(
                    "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"r\",\"type\":[\"null\","
                        + "\"R\"]}]}"))
        .isInstanceOf(Problem.class)
        .hasMessage("an Avro schema in which record \"R\" contains itself");
    String deep = "{\"type\":\"array\",\"items\":".repeat(400) + "\"int\"" + "}".repeat(400);
    assertThatThrownBy(() -> compiled(deep))
        .isInstanceOf(Problem.class)
        .hasMessage("an Avro schema nested deeper than 200 levels");
    String deeper = "{\"type\":\"array\",\"items\":".repeat(5000) + "\"int\"" + "}".repeat(5000);
    assertThatThrownBy(() -> compiled(deeper))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith("not an Avro schema");
    assertThatThrownBy(() -> compiled("{\"type\":\"nonsense\"}"))
        .isInstanceOf(Problem.class)
        .hasMessageStartingWith("not an Avro schema");
  }

  /** Two fields of each record are the next record: the last has 2^40 of them, all empty. */
  @Test
  void aSchemaThatMultipliesIsReadInBoundedTime() throws Exception {
    StringBuilder schema =
        new StringBuilder("{\"type\":\"record\",\"name\":\"R40\",\"fields\":[]}");
    String inner = schema.toString();
    for (int i = 39; i > 0; i--) {
      inner =
          "{\"type\":\"record\",\"name\":\"R"
              + i
              + "\",\"fields\":[{\"name\":\"a\",\"type\":"
              + inner
              + "},{\"name\":\"b\",\"type\":\"R"
              + (i + 1)
              + "\"}]}";
    }
    AvroSchema compiled = compiled(inner);

    assertThatThrownBy(() -> json(compiled, new byte[0]))
        .isInstanceOf(BrokenInput.class)
        .hasMessageContaining("a million elements that take no bytes");
  }

  @Test
  void whatAValueMeansComesFromConnectsPropertiesAlone() throws Exception {
    AvroSchema schema =
        compiled(
            """
            {"type": "record", "name": "V", "fields": [
              {"name": "d", "type": ["null", {"type": "bytes", "logicalType": "decimal", "precision": 4,
                "scale": 1, "connect.name": "org.apache.kafka.connect.data.Decimal",
                "connect.parameters": {"scale": "2", "connect.decimal.precision": "9"}}]},
              {"name": "plain", "type": {"type": "int", "logicalType": "date"}},
              {"name": "day", "type": {"type": "int", "connect.name": "io.debezium.time.Date"}},
              {"name": "small", "type": {"type": "int", "connect.type": "int16"}},
              {"name": "either", "type": ["null", "int", "string"]}],
             "connect.name": "V"}
            """);

    assertThat(schema.tree().toString())
        .isEqualTo(
            "{\"type\":\"struct\",\"fields\":["
                + "{\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\","
                + "\"parameters\":{\"scale\":\"2\",\"connect.decimal.precision\":\"9\"},"
                + "\"optional\":true,\"field\":\"d\"},"
                + "{\"type\":\"int32\",\"field\":\"plain\"},"
                + "{\"type\":\"int32\",\"name\":\"io.debezium.time.Date\",\"field\":\"day\"},"
                + "{\"type\":\"int16\",\"field\":\"small\"},"
                + "{\"type\":\"union\",\"field\":\"either\"}],\"name\":\"V\"}");
  }

  @Test
  void referencesAreSchemasOfTheirOwn() throws Exception {
    AvroSchema schema =
        AvroCompiler.compile(
            new RegisteredSchema(
                "{\"type\":\"record\",\"name\":\"T\",\"fields\":[{\"name\":\"k\",\"type\":\"x.K\"}]}",
                List.of(
                    "{\"type\":\"record\",\"name\":\"K\",\"namespace\":\"x\",\"fields\":[{\"name\":\"i\","
                        + "\"type\":\"int\"}]}")));

    assertThat(json(schema, new byte[] {2})).isEqualTo("{\"k\":{\"i\":1}}");
  }

  private static AvroSchema compiled(String schema) throws Problem {
    return AvroCompiler.compile(new RegisteredSchema(schema, Collections.emptyList()));
  }

  private static String json(Schema schema, Object value) throws Exception {
    return json(compiled(schema.toString()), bytes(schema, value));
  }

  private static JsonParser parser(Schema schema, Object value) throws Exception {
    return new AvroParser(compiled(schema.toString()).type(), bytes(schema, value), 0);
  }

  private static String json(AvroSchema schema, byte[] bytes) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonParser in = new AvroParser(schema.type(), bytes, 0);
        JsonGenerator out = new JsonFactory().createGenerator(text)) {
      while (in.nextToken() != null) {
        out.copyCurrentEvent(in);
      }
    }
    return text.toString();
  }

  private static byte[] bytes(Schema schema, Object value) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<>(schema).write(value, encoder);
    encoder.flush();
    return out.toByteArray();
  }
}
