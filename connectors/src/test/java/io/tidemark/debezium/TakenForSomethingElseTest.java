package io.tidemark.debezium;

import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a reader of the decoder, and no test, had found to be taken for something else. */
class TakenForSomethingElseTest {
  private static final String P = "__debezium_unavailable_value";
  private static final String KEY = "{\"id\":1}";

  private static String run(DecoderSettings s, String key, String value, String... columns) {
    return text(Events.decoder(s, columns).decode(record(key, value)));
  }

  /** uuid[] that was not sent, in a column that was declared list of strings, without schema. */
  @Test
  void unsentUuidArrayAsText() {
    String u = UUID.nameUUIDFromBytes(P.getBytes(UTF_8)).toString();
    assertThat(
            run(
                DecoderSettings.DEFAULTS,
                KEY,
                envelope("u", "{\"id\":1,\"a\":[\"" + u + "\"]}"),
                "id*: long",
                "a: list<string>"))
        .contains("without [a]");
  }

  /** A bytea key whose value was not sent. */
  @Test
  void unsentBinaryKey() {
    String b = Base64.getEncoder().encodeToString(P.getBytes(UTF_8));
    assertThat(
            run(
                DecoderSettings.DEFAULTS,
                "{\"id\":\"" + b + "\"}",
                envelope("u", "{\"id\":\"" + b + "\"}"),
                "id*: binary"))
        .contains("TOAST");
  }

  /** hex: placeholder in a text key. */
  @Test
  void unsentTextKeyOfAHexPlaceholder() {
    assertThat(
            run(
                DecoderSettings.DEFAULTS.withUnavailableValue("hex:414243"),
                "{\"id\":\"ABC\"}",
                envelope("u", "{\"id\":\"ABC\"}"),
                "id*: string"))
        .contains("TOAST");
  }

  /** A decimal of giant scale in the schema of a message, with a string column. */
  @Test
  void aGiantScaleInTheSchema() {
    String schema =
        "{\"type\":\"struct\",\"fields\":[{\"field\":\"after\",\"type\":\"struct\",\"fields\":["
            + "{\"field\":\"id\",\"type\":\"int64\"},{\"field\":\"d\",\"type\":\"bytes\",\"name\":"
            + "\"org.apache.kafka.connect.data.Decimal\",\"parameters\":{\"scale\":\"2147483000\"}}]}]}";
    String payload = envelope("u", "{\"id\":1,\"d\":\"AQ==\"}");
    assertThat(
            run(
                DecoderSettings.DEFAULTS,
                KEY,
                "{\"schema\":" + schema + ",\"payload\":" + payload + "}",
                "id*: long",
                "d: string(decimal)"))
        .contains("at most 150000 digits, found one of 2147483001");
  }

  /** The job is told rewrite, the transform does tombstone: rows have no __deleted. */
  @Test
  void aWrongDeleteHandlingIsNotSilent() {
    RowShape shape = Events.shape("id*: long");
    Unwrap unwrap =
        new Unwrap(
            Unwrap.DeleteHandling.REWRITE, List.of(), Unwrap.PREFIX, List.of(), Unwrap.PREFIX);
    FlatDecoder decoder =
        new FlatDecoder(
            shape,
            DecoderSettings.DEFAULTS
                .withVersion(new VersionScheme.KafkaOffset())
                .withFormat(new JsonFormat(), unwrap),
            new TextRow(shape));
    String row = text(decoder.decode(record(KEY, "{\"id\":1}")));
    String gone = text(decoder.decode(record(KEY, "null")));
    assertThat(row).contains("deleted is missing").contains("delete.tombstone.handling.mode");
    assertThat(gone).contains("delete.tombstone.handling.mode=rewrite does not write");
  }

  /** An infinite date runs through LocalDate, whose text is this one in isostring. */
  @Test
  void anInfiniteDateAsIsoText() {
    assertThat(
            run(
                DecoderSettings.DEFAULTS,
                KEY,
                envelope("c", "{\"id\":1,\"d\":\"-5877611-06-22Z\"}"),
                "id*: long",
                "d: date(iso)"))
        .contains("cannot store");
  }

  /** A map whose keys are no strings: Connect's Avro writes a list of MapEntry records. */
  @Test
  void aMapWithNumericKeysIsRefusedInAvroAsInJson() throws Exception {
    String after =
        "{\"type\":\"record\",\"name\":\"Value\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
            + "{\"name\":\"v\",\"type\":{\"type\":\"record\",\"name\":\"SparseDoubleVector\",\"fields\":["
            + "{\"name\":\"dimensions\",\"type\":{\"type\":\"int\",\"connect.type\":\"int16\"}},"
            + "{\"name\":\"vector\",\"type\":{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"E\","
            + "\"connect.internal.type\":\"MapEntry\",\"fields\":["
            + "{\"name\":\"key\",\"type\":{\"type\":\"int\",\"connect.type\":\"int16\"}},"
            + "{\"name\":\"value\",\"type\":\"double\"}]}}}],"
            + "\"connect.name\":\"io.debezium.data.SparseDoubleVector\"}}]}";
    String envelope =
        "{\"type\":\"record\",\"name\":\"Envelope\",\"fields\":[{\"name\":\"after\",\"type\":[\"null\","
            + after
            + "]},{\"name\":\"op\",\"type\":\"string\"}]}";
    var schema = new org.apache.avro.Schema.Parser().parse(envelope);
    var row = schema.getField("after").schema().getTypes().get(1);
    var vec = row.getField("v").schema();
    var entry = vec.getField("vector").schema().getElementType();
    var e = new org.apache.avro.generic.GenericData.Record(entry);
    e.put("key", 1);
    e.put("value", 2.5);
    var v = new org.apache.avro.generic.GenericData.Record(vec);
    v.put("dimensions", 3);
    v.put("vector", List.of(e));
    var r = new org.apache.avro.generic.GenericData.Record(row);
    r.put("id", 1L);
    r.put("v", v);
    var m = new org.apache.avro.generic.GenericData.Record(schema);
    m.put("after", r);
    m.put("op", "c");
    var out = new java.io.ByteArrayOutputStream();
    out.write(new byte[] {0, 0, 0, 0, 1});
    var enc = org.apache.avro.io.EncoderFactory.get().binaryEncoder(out, null);
    new org.apache.avro.generic.GenericDatumWriter<Object>(schema).write(m, enc);
    enc.flush();
    RawRecord plain = record(null, null);
    ShapeResult result =
        new ShapeReader(
                List.of("id"),
                java.util.Map.of(),
                new io.tidemark.debezium.avro.InMemoryAvro(java.util.Map.of(1L, envelope)),
                null)
            .read(new RawRecord(plain.at(), 0, null, out.toByteArray(), java.util.Map.of()));
    assertThat(result).as("%s", result).isInstanceOf(ShapeResult.Refused.class);
  }
}
