package io.tidemark.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.transforms.ExtractNewRecordState;
import io.tidemark.config.Settings;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.replay.Seed;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.data.Record;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real job on a real broker takes its columns from each format, and ends in the same table. */
class JobOnFormatsTest {
  private static final int CHANGES = 300;

  @TempDir private Path directory;

  @Test
  void everyFormatEndsInTheSameTable() throws Exception {
    GeneratedChanges generated = new GeneratedChanges(Seed.random("JobOnFormatsTest", 43));
    List<SourceRecord> changes = new ArrayList<>();
    while (changes.size() < CHANGES) {
      SourceRecord change = generated.next();
      // A snapshot here and there would be a source that starts over.
      if (!((Struct) change.value()).get("op").equals("r")) {
        changes.add(change);
      }
    }
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        AvroWriter avro = new AvroWriter()) {
      String registry =
          "\n  registry: {schema.registry.url: '%s'}"
              .formatted(avro.format().registry().urls().get(0));
      String unwrap = "\n  unwrap: {delete.tombstone.handling.mode: rewrite}";
      JsonConverter json = new JsonConverter();
      json.configure(Map.of("schemas.enable", "true"), false);
      SameRowTest.Writer text = (schema, value) -> json.fromConnectData("s.t", schema, value);

      send(kafka, "json", changes, text);
      send(kafka, "avro", changes, avro::write);
      send(kafka, "flatjson", flat(changes), text);
      send(kafka, "flatavro", flat(changes), avro::write);
      Map<Long, String> expected = table(kafka, "json", "debezium-json");

      assertThat(expected).hasSizeGreaterThan(20);
      assertThat(table(kafka, "avro", "debezium-avro" + registry)).isEqualTo(expected);
      assertThat(table(kafka, "flatjson", "debezium-json-flat" + unwrap)).isEqualTo(expected);
      assertThat(table(kafka, "flatavro", "debezium-avro-flat" + registry + unwrap))
          .isEqualTo(expected);
    }
  }

  private static List<SourceRecord> flat(List<SourceRecord> changes) {
    ExtractNewRecordState<SourceRecord> transform = new ExtractNewRecordState<>();
    transform.configure(
        Map.of(
            "delete.tombstone.handling.mode",
            "rewrite",
            "add.fields",
            "op,source.connector,source.snapshot,source.ts_us,source.lsn,source.sequence,source.txId,"
                + "total_order"));
    return changes.stream().map(transform::apply).toList();
  }

  private static void send(
      EmbeddedKafka kafka, String topic, List<SourceRecord> records, SameRowTest.Writer writer) {
    kafka.createTopic(topic, 1);
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (SourceRecord record : records) {
        producer.send(
            new ProducerRecord<>(
                topic,
                0,
                writer.write(record.keySchema(), record.key()),
                writer.write(record.valueSchema(), record.value())));
      }
    }
  }

  private Map<Long, String> table(EmbeddedKafka kafka, String topic, String format)
      throws Exception {
    Settings settings =
        Settings.parse(
            """
            name: %1$s
            kafka:
              bootstrap.servers: %2$s
              topics: ['%1$s']
              format: %3$s
            catalog:
              name: lake
              properties: {type: hadoop, warehouse: '%4$s'}
            flink: {parallelism.default: 1, execution.checkpointing.interval: 200ms}
            routes: [{topics: '.*', table: shop.%1$s}]
            """
                .formatted(
                    topic, kafka.bootstrapServers(), format, directory.resolve("lake").toUri()),
            Map.of());
    try (LocalJob job = LocalJob.start(settings, RunOptions.catchUp())) {
      job.await();
    }
    return rows(settings, "shop." + topic);
  }

  private static Map<Long, String> rows(Settings settings, String table) throws IOException {
    Map<Long, String> rows = new TreeMap<>();
    try (TableReader reader = TableReader.open(settings.catalog(), table)) {
      reader.read(
          RowQuery.ALL,
          row -> {
            StringBuilder text = new StringBuilder();
            for (Field field : GeneratedChanges.ROW.fields()) {
              text.append(field.name())
                  .append('=')
                  .append(text(row.getField(field.name())))
                  .append(' ');
            }
            text.append(row.getField("_commit_version")).append(row.getField("_source_ts"));
            rows.merge((Long) row.getField("id"), text.toString(), String::concat);
          });
    }
    return rows;
  }

  private static String text(Object value) {
    if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return HexFormat.of().formatHex(copy);
    }
    if (value instanceof Record struct) {
      List<String> parts = new ArrayList<>();
      for (int i = 0; i < struct.size(); i++) {
        parts.add(text(struct.get(i)));
      }
      return parts.toString();
    }
    return String.valueOf(value);
  }
}
