package io.tidemark.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.transforms.ExtractNewRecordState;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.ShapeReader;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.replay.Seed;
import io.tidemark.row.Column;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.HeaderConverter;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same change gives the same bytes of a row, the same key, kind, position and time, whichever
 * of the real converters wrote it and whether the real transform took it out of its envelope.
 */
class SameRowTest {
  private static final int CHANGES = 200;
  private static final int CHANGES_OF_A_KEY = 12;
  private static final String ADDED =
      "op,source.connector,source.snapshot,source.ts_us,source.lsn,source.sequence:seq,source.txId,"
          + "total_order";
  private static final SourceOffset AT = new SourceOffset("s.t", 0, 1);

  /** Turns a key or a value into bytes. */
  interface Writer {
    byte @Nullable [] write(@Nullable Schema schema, @Nullable Object value);
  }

  /** One way from the connector to the decoder. */
  private final class Way {
    private final Writer writer;
    private @Nullable ExtractNewRecordState<SourceRecord> transform;
    private final HeaderConverter headers;
    private final ChangeDecoder decoder;
    private UnaryOperator<RawRecord> framing = UnaryOperator.identity();

    Way(
        Writer writer,
        MessageFormat format,
        @Nullable Unwrap unwrap,
        HeaderConverter headers,
        Discovered shape) {
      this.writer = writer;
      this.headers = headers;
      this.transform = unwrap == null ? null : transform(unwrap);
      this.decoder =
          ChangeDecoder.of(
              shape.shape(),
              DecoderSettings.DEFAULTS.withEncodings(shape.encodings()).withFormat(format, unwrap),
              new BinaryRowEncoder(shape.shape()));
    }

    Way framedBy(UnaryOperator<RawRecord> other) {
      framing = other;
      return this;
    }

    /** What becomes of a record; null where the transform drops it. */
    @Nullable DecodeResult decode(SourceRecord change) {
      SourceRecord copy =
          change.newRecord(
              change.topic(),
              0,
              change.keySchema(),
              change.key(),
              change.valueSchema(),
              change.value(),
              1L);
      SourceRecord sent = transform == null ? copy : transform.apply(copy);
      return sent == null ? null : decoder.decode(framing.apply(raw(sent)));
    }

    private RawRecord raw(SourceRecord sent) {
      Map<String, byte[]> texts = new HashMap<>();
      for (Header header : sent.headers()) {
        texts.put(
            header.key(),
            headers.fromConnectHeader("s.t", header.key(), header.schema(), header.value()));
      }
      return new RawRecord(
          AT,
          1,
          writer.write(sent.keySchema(), sent.key()),
          writer.write(sent.valueSchema(), sent.value()),
          texts);
    }
  }

  @Test
  void everyFormatGivesTheSameChange() {
    Random random = Seed.random("SameRowTest", 41);
    GeneratedChanges changes = new GeneratedChanges(random, true);
    try (AvroWriter avro = new AvroWriter()) {
      SourceRecord first = changes.next();
      Discovered shape = shape(first, avro);
      Map<String, Way> ways = ways(shape, avro);
      Map<String, Integer> compared = new HashMap<>();
      int kept = 0;
      for (int i = 0; i < CHANGES; i++) {
        SourceRecord change = changes.next();
        String expected = null;
        for (Map.Entry<String, Way> way : ways.entrySet()) {
          DecodeResult result = way.getValue().decode(change);
          assertThat(result).as(way.getKey() + " of " + change).isInstanceOf(Decoded.class);
          String text = text((Decoded) result);
          expected = expected == null ? text : expected;
          assertThat(text).as(way.getKey() + " of " + change).isEqualTo(expected);
          compared.merge(way.getKey(), 1, Integer::sum);
          kept += text.contains("whole") ? 0 : 1;
        }
      }
      assertThat(compared).hasSize(12).allSatisfy((way, n) -> assertThat(n).isEqualTo(CHANGES));
      assertThat(kept).isGreaterThan(CHANGES);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "name",
        "price",
        "uid",
        "ts",
        "tz",
        "clock",
        "day",
        "bin",
        "tz day name bin price uid"
      })
  void everyFormatGivesTheSameKeyOfOtherTypes(String columns) {
    List<String> key = List.of(columns.split(" "));
    GeneratedChanges changes =
        new GeneratedChanges(Seed.random("SameRowTest." + columns, 43), true, key);
    try (AvroWriter avro = new AvroWriter()) {
      Discovered shape = shape(changes.next(), avro);
      assertThat(shape.shape().columns())
          .filteredOn(Column::key)
          .extracting(Column::name)
          .containsExactlyInAnyOrderElementsOf(key);
      Map<String, Way> ways = ways(shape, avro);
      Set<PrimaryKey> keys = new HashSet<>();
      for (int i = 0; i < CHANGES_OF_A_KEY; i++) {
        SourceRecord change = changes.next();
        Set<String> texts = new HashSet<>();
        ways.forEach(
            (name, way) -> {
              DecodeResult result = way.decode(change);
              assertThat(result).as(name + " of " + change).isInstanceOf(Decoded.class);
              keys.add(((Decoded) result).key());
              texts.add(text((Decoded) result));
              assertThat(texts).as(name + " of " + change).hasSize(1);
            });
      }
      assertThat(keys).hasSizeBetween(3, CHANGES_OF_A_KEY);
    }
  }

  /**
   * The tombstone behind a delete is the transform's to drop or to leave; it never says anything.
   */
  @Test
  void tombstonesSayNothingWhateverTheTransformMakesOfThem() {
    GeneratedChanges changes =
        new GeneratedChanges(Seed.random("SameRowTest.tombstones", 42), false);
    try (AvroWriter avro = new AvroWriter()) {
      SourceRecord change = changes.next();
      SourceRecord tombstone =
          change.newRecord("s.t", 0, change.keySchema(), change.key(), null, null, 1L);
      ways(shape(change, avro), avro)
          .forEach(
              (name, way) -> {
                DecodeResult result = way.decode(tombstone);
                boolean kept = !name.contains("flat") || name.contains("rewrite-with-tombstone");
                assertThat(result).as(name).matches(r -> kept ? r instanceof Ignored : r == null);
              });
    }
  }

  /** No mode that the job may be told passes over what another makes of a delete. */
  @Test
  void aDeleteThatIsReadAsOneOfAnotherModeIsADeleteOrRefused() {
    GeneratedChanges changes = new GeneratedChanges(Seed.random("SameRowTest.modes", 43), true);
    try (AvroWriter avro = new AvroWriter()) {
      SourceRecord delete = changes.next();
      Discovered shape = shape(delete, avro);
      while (!"d".equals(((Struct) delete.value()).getString("op"))) {
        delete = changes.next();
      }
      int refused = 0;
      for (DeleteHandling written : DeleteHandling.values()) {
        if (written == DeleteHandling.DROP) {
          continue; // nothing comes, and nothing tells
        }
        for (DeleteHandling told : DeleteHandling.values()) {
          for (boolean schemas : new boolean[] {true, false}) {
            Way way =
                new Way(
                    json(schemas),
                    new JsonFormat(),
                    modes(told),
                    new SimpleHeaderConverter(),
                    shape);
            way.transform = transform(modes(written));
            DecodeResult result = way.decode(delete);
            assertThat(result)
                .as(written + " read as " + told)
                .isNotNull()
                .isNotInstanceOf(Ignored.class);
            refused += result instanceof Malformed ? 1 : 0;
          }
        }
      }
      assertThat(refused).isEqualTo(8); // tombstone and delete-to-tombstone, read as either rewrite
    }
  }

  private static Unwrap modes(DeleteHandling handling) {
    List<String> added = List.of(ADDED.split(","));
    return new Unwrap(handling, added, "__", added, "h-");
  }

  private Map<String, Way> ways(Discovered shape, AvroWriter avro) {
    Writer schemas = json(true);
    Writer bare = json(false);
    Map<String, Way> ways = new LinkedHashMap<>();
    MessageFormat json = new JsonFormat();
    HeaderConverter plain = new SimpleHeaderConverter();
    ways.put("json with schema", new Way(schemas, json, null, plain, shape));
    ways.put("json", new Way(bare, json, null, plain, shape));
    ways.put("avro", new Way(avro::write, avro.format(), null, plain, shape));
    ways.put(
        "avro, ids in headers",
        new Way(avro::write, avro.apicurio(), null, plain, shape)
            .framedBy(AvroWriter::withIdsInHeaders));
    JsonConverter jsonHeaders = converter(false);
    for (DeleteHandling handling : DeleteHandling.values()) {
      Unwrap unwrap = modes(handling);
      if (handling == DeleteHandling.DROP) {
        continue; // a delete never comes: see the class above
      }
      ways.put("flat json " + handling, new Way(bare, json, unwrap, plain, shape));
      ways.put(
          "flat avro " + handling, new Way(avro::write, avro.format(), unwrap, jsonHeaders, shape));
    }
    return ways;
  }

  private static ExtractNewRecordState<SourceRecord> transform(Unwrap unwrap) {
    ExtractNewRecordState<SourceRecord> transform = new ExtractNewRecordState<>();
    Map<String, String> options = new HashMap<>();
    options.put("delete.tombstone.handling.mode", unwrap.deletes().toString());
    options.put("add.fields", ADDED);
    options.put("add.headers", ADDED);
    options.put("add.headers.prefix", unwrap.headersPrefix());
    transform.configure(options);
    return transform;
  }

  private static Writer json(boolean schemas) {
    JsonConverter keys = converter(schemas);
    return (schema, value) -> keys.fromConnectData("s.t", schema, value);
  }

  private static JsonConverter converter(boolean schemas) {
    JsonConverter converter = new JsonConverter();
    converter.configure(Map.of("schemas.enable", Boolean.toString(schemas)), false);
    return converter;
  }

  /** The columns are the same too, whichever message they are taken from. */
  private Discovered shape(SourceRecord change, AvroWriter avro) {
    List<Discovered> shapes = new ArrayList<>();
    ShapeReader fromJson = new ShapeReader(List.of(), Map.of());
    ShapeReader fromAvro = new ShapeReader(List.of(), Map.of(), avro.format(), null);
    ShapeReader fromFlat = new ShapeReader(List.of(), Map.of(), avro.format(), Unwrap.DEFAULTS);
    shapes.add((Discovered) fromJson.read(raw(change, json(true))));
    shapes.add((Discovered) fromAvro.read(raw(change, avro::write)));
    SourceRecord flat =
        transform(new Unwrap(DeleteHandling.REWRITE, List.of(), "__", List.of(), "__"))
            .apply(change);
    shapes.add((Discovered) fromFlat.read(raw(flat, avro::write)));
    assertThat(shapes).allMatch(shapes.get(0)::equals);
    return shapes.get(0);
  }

  private static RawRecord raw(SourceRecord sent, Writer writer) {
    return new RawRecord(
        AT,
        1,
        writer.write(sent.keySchema(), sent.key()),
        writer.write(sent.valueSchema(), sent.value()),
        Map.of());
  }

  private static String text(Decoded decoded) {
    return decoded.kind()
        + " "
        + decoded.key().toHex()
        + " "
        + decoded.source()
        + " "
        + decoded.sourceTimeMicros()
        + " "
        + (decoded.unsent() == null ? "whole" : decoded.unsent().columns())
        + " "
        + java.util.HexFormat.of().formatHex(decoded.row());
  }
}
