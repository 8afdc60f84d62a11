package io.tidemark.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.OnMissingDocument;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.flink.row.BinaryRowReader;
import io.tidemark.oracle.ChangeReader;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/**
 * What Debezium's own classes make of documents is one row, whichever converter wrote it, and the
 * oracle reads the same. No server has a part in it.
 */
class MongoDbTest {
  private static final List<String> IDS =
      List.of(
          "{$oid: '596e275826f08b2730779e1f'}",
          "'596e275826f08b2730779e1f'",
          "1004",
          "{$numberLong: '9223372036854775807'}",
          "{$numberDecimal: '1004.5'}",
          "1004.25",
          "'1004'",
          "{$binary: {base64: 'ASNFZ4mrze8BI0VniavN7w==', subType: '04'}}",
          "{$date: '2024-02-29T12:30:00.123Z'}",
          "{$date: {$numberLong: '-62135596900000'}}",
          "{region: 'eu', n: {$numberLong: '7'}}",
          "true");
  private static final String FIELDS =
      "name: 'Änne \"A\" \\\\ \u2028 😀', n: {$numberLong: '5'}, x: NaN, d: {$date: 7},"
          + " list: [1, 'a', null, {deep: {$oid: '596e275826f08b2730779e1f'}}], none: null";

  private record Way(String name, SameRowTest.Writer writer, MessageFormat format) {}

  @Test
  void everyFormatGivesTheSameRow() {
    MongoDbChanges mongo = new MongoDbChanges();
    Set<Object> keys = new HashSet<>();
    try (AvroWriter avro = new AvroWriter()) {
      List<Way> ways =
          List.of(
              new Way("json with schema", json(true), new JsonFormat()),
              new Way("json", json(false), new JsonFormat()),
              new Way("avro", avro::write, avro.format()));
      for (String id : IDS) {
        BsonDocument document = BsonDocument.parse("{_id: " + id + ", " + FIELDS + "}");
        List<SourceRecord> changes =
            List.of(
                mongo.read(document),
                mongo.insert(document),
                mongo.update(document, document),
                mongo.delete(document));
        Set<Object> keysOfDocument = new HashSet<>();
        for (SourceRecord change : changes) {
          Set<String> texts = new HashSet<>();
          for (Way way : ways) {
            Decoded decoded = (Decoded) decode(way, change);
            texts.add(text(decoded));
            keysOfDocument.add(decoded.key());
            if (way.format() instanceof JsonFormat) {
              requireSame(decoded, read(way, change));
            }
          }
          assertThat(texts).as(change.toString()).hasSize(1);
        }
        assertThat(keysOfDocument).as(id).hasSize(1);
        keys.addAll(keysOfDocument);
      }
    }
    assertThat(keys).hasSameSizeAs(IDS);
  }

  @Test
  void anUpdateThatFoundNoDocumentIsPassedOverWhereItIsToldSo() {
    MongoDbChanges mongo = new MongoDbChanges();
    SourceRecord late = mongo.update(BsonDocument.parse("{_id: 1, a: 2}"), null);
    Way way = new Way("json", json(false), new JsonFormat());

    assertThat(decode(way, late)).isInstanceOf(Ignored.class);
    assertThat(read(way, late)).isNull();
  }

  private static void requireSame(Decoded decoded, OracleChange oracle) {
    Map<String, Object> row = row(decoded);
    assertThat(oracle.key()).isEqualTo(Map.of("_id", row.get("_id")));
    if (oracle.row() != null) {
      assertThat(oracle.row()).isEqualTo(row);
    } else {
      assertThat(decoded.kind()).hasToString("DELETE");
    }
    assertThat(Objects.requireNonNull(oracle.sourceTime()).toInstant().toEpochMilli() * 1000)
        .isEqualTo(decoded.sourceTimeMicros());
  }

  private static Map<String, Object> row(Decoded decoded) {
    BinaryRowReader reader = new BinaryRowReader(2);
    reader.pointTo(decoded.row());
    Map<String, Object> row = new TreeMap<>();
    row.put("_id", reader.getString(0));
    if (!reader.isNull(1)) {
      row.put("document", reader.getString(1));
    }
    return row;
  }

  private static OracleChange read(Way way, SourceRecord change) {
    RawRecord raw = raw(way, change);
    RawEvent event = new RawEvent(MongoDbChanges.TOPIC, 0, 1, raw.key(), raw.value(), Map.of());
    return new ChangeReader(OracleOptions.DEFAULT).read(event);
  }

  private static DecodeResult decode(Way way, SourceRecord change) {
    RawRecord raw = raw(way, change);
    ShapeReader shapes = new ShapeReader(List.of(), Map.of(), way.format(), null);
    Discovered shape = (Discovered) shapes.read(raw);
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withEncodings(shape.encodings())
            .withOnMissingDocument(OnMissingDocument.IGNORE)
            .withFormat(way.format(), null);
    return ChangeDecoder.of(shape.shape(), settings, new BinaryRowEncoder(shape.shape()))
        .decode(raw);
  }

  private static SameRowTest.Writer json(boolean schemas) {
    JsonConverter converter = new JsonConverter();
    converter.configure(Map.of("schemas.enable", Boolean.toString(schemas)), false);
    return (schema, value) -> converter.fromConnectData(MongoDbChanges.TOPIC, schema, value);
  }

  private static RawRecord raw(Way way, SourceRecord change) {
    return new RawRecord(
        new SourceOffset(MongoDbChanges.TOPIC, 0, 1),
        1,
        way.writer().write(change.keySchema(), change.key()),
        way.writer().write(change.valueSchema(), change.value()),
        Map.of());
  }

  private static String text(Decoded decoded) {
    List<Object> parts = new ArrayList<>();
    parts.add(decoded.kind());
    parts.add(decoded.key());
    parts.add(decoded.source());
    parts.add(decoded.sourceTimeMicros());
    parts.add(new String(decoded.row(), UTF_8));
    return parts.toString();
  }
}
