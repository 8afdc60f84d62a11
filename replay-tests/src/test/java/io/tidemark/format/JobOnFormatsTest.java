package io.tidemark.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.debezium.transforms.ExtractNewRecordState;
import io.tidemark.change.SourceOffset;
import io.tidemark.cli.TidemarkCommand;
import io.tidemark.config.Settings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.replay.Seed;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.sandbox.TopicLog;
import io.tidemark.verify.RewrittenRows;
import io.tidemark.verify.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.storage.SimpleHeaderConverter;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real job on a real broker takes its columns from each format, and ends in the same table. */
class JobOnFormatsTest {
  private static final int CHANGES = 300;
  private static final String ADDED =
      "op,source.connector,source.snapshot,source.ts_us,source.lsn,source.sequence,source.txId,"
          + "total_order";

  @TempDir private static Path directory;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void startKafka() {
    kafka = EmbeddedKafka.start(directory.resolve("kafka"));
  }

  @AfterAll
  static void stopKafka() {
    kafka.close();
  }

  @Test
  void everyFormatEndsInTheSameTable() throws Exception {
    GeneratedChanges generated = new GeneratedChanges(Seed.random("JobOnFormatsTest", 43), false);
    List<SourceRecord> changes = new ArrayList<>();
    while (changes.size() < CHANGES) {
      SourceRecord change = generated.next();
      // A snapshot here and there would be a source that starts over.
      if (!((Struct) change.value()).get("op").equals("r")) {
        changes.add(change);
      }
    }
    try (AvroWriter avro = new AvroWriter()) {
      String registry =
          "\n  registry: {schema.registry.url: '%s'}"
              .formatted(avro.format().registry().urls().get(0));
      String unwrap = "\n  unwrap: {delete.tombstone.handling.mode: rewrite}";
      JsonConverter json = new JsonConverter();
      json.configure(Map.of("schemas.enable", "true"), false);
      SameRowTest.Writer text = (schema, value) -> json.fromConnectData("s.t", schema, value);

      send("json", changes, text);
      send("avro", changes, avro::write);
      send("flatjson", flat(changes, DeleteHandling.REWRITE), text);
      List<SourceRecord> rewritten = flat(changes, DeleteHandling.REWRITE);
      send("flatavro", rewritten, avro::write, damagedAt(CHANGES - 1));
      send("nulls", flat(changes, DeleteHandling.TOMBSTONE), text);
      send("both", flat(withTombstones(changes), DeleteHandling.REWRITE_WITH_TOMBSTONE), text);
      Map<Long, String> expected = table("json", "debezium-json");

      assertThat(expected).hasSizeGreaterThan(20);
      assertThat(table("avro", "debezium-avro" + registry)).isEqualTo(expected);
      assertThat(table("flatjson", "debezium-json-flat" + unwrap)).isEqualTo(expected);
      String headers = "\n  unwrap: {add.headers: '%s'}".formatted(ADDED);
      assertThat(table("nulls", "debezium-json-flat" + headers)).isEqualTo(expected);
      assertThat(table("both", "debezium-json-flat" + unwrap.replace("}", "-with-tombstone}")))
          .isEqualTo(expected);
      Settings flatAvro = run("flatavro", "debezium-avro-flat" + registry + unwrap);
      correctAndRedrive("flatavro", rewritten.get(CHANGES - 1), avro::write);
      assertThat(RowText.byId(flatAvro, "shop.flatavro")).isEqualTo(expected);

      for (String topic : List.of("avro", "flatjson", "flatavro", "nulls", "both")) {
        assertThat(verify(topic))
            .as(topic)
            .contains("EQUAL: every key and column of shop." + topic);
        damage(topic);
        assertThat(verify(topic))
            .as(topic)
            .contains("different rows: 1 ", "keys with several rows: 1 ", "missing rows: 1 ");
        assertThat(verify(topic, "--repair"))
            .as(topic)
            .contains("REPAIRED by commit", "EQUAL: every key and column of shop." + topic);
        assertThat(RowText.byId(settings(topic), "shop." + topic)).as(topic).isEqualTo(expected);
      }
    }
  }

  @Test
  void documentsOfMongoDbAreRows() throws Exception {
    MongoDbChanges mongo = new MongoDbChanges();
    List<SourceRecord> changes = new ArrayList<>();
    for (int id = 0; id < 30; id++) {
      BsonDocument first = MongoDbChanges.document(id, 1);
      changes.add(id % 3 == 0 ? mongo.read(first) : mongo.insert(first));
    }
    for (int id = 0; id < 30; id += 2) {
      BsonDocument second = MongoDbChanges.document(id, 2);
      boolean gone = id % 4 == 0;
      changes.add(mongo.update(second, gone ? null : second));
      if (gone) {
        changes.add(mongo.delete(second));
      }
    }
    try (AvroWriter avro = new AvroWriter()) {
      String registry =
          "\n  registry: {apicurio.registry.url: '%s'}"
              .formatted(avro.apicurio().registry().urls().get(0));
      UnaryOperator<RawRecord> damaged = damagedAt(1);
      send(
          "mongo",
          changes,
          avro::write,
          record -> damaged.apply(AvroWriter.withIdsInHeaders(record)));
      Settings settings = run("mongo", "debezium-avro" + registry);
      correctAndRedrive("mongo", changes.get(1), avro::write);

      Map<String, String> rows = new TreeMap<>();
      try (TableReader reader = TableReader.open(settings.catalog(), "shop.mongo")) {
        reader.read(
            RowQuery.ALL,
            row -> rows.put((String) row.getField("_id"), (String) row.getField("document")));
      }
      Map<String, String> expected = new TreeMap<>();
      for (int id = 0; id < 30; id++) {
        if (id % 4 != 0) {
          String last = MongoDbChanges.text(MongoDbChanges.document(id, id % 2 == 0 ? 2 : 1));
          expected.put(MongoDbChanges.hex(id), last);
        }
      }
      assertThat(rows).isEqualTo(expected);
      assertThat(verify("mongo")).contains("EQUAL: every key and column of shop.mongo");
      damage("mongo");
      assertThat(verify("mongo", "--values"))
          .contains("different rows: 1 ", "keys with several rows: 1 ", "missing rows: 1 ");
    }
  }

  /** Messages without schemas hold what the configuration says, for the job and for verify. */
  @Test
  void columnsAreWhatTheConfigurationDeclares() throws Exception {
    assertThat(DeclaredColumns.forgotten()).isEmpty();
    kafka.createTopic("declared", 1);
    kafka.createTopic("declared.dead", 1);
    String key = "{\"id\": 1}";
    String row = "{\"id\": 1, " + DeclaredColumns.json() + ", \"__op\": \"c\", ";
    String source =
        "\"__source_connector\": \"postgresql\", \"__source_lsn\": 9, \"__source_ts_ms\": 1,"
            + " \"__source_snapshot\": \"false\", \"__source_sequence\": \"[\\\"8\\\",\\\"9\\\"]\"}";
    try (Producer<byte[], byte[]> producer = producer()) {
      producer.send(
          new ProducerRecord<>("declared", 0, key.getBytes(UTF_8), (row + source).getBytes(UTF_8)));
    }

    Settings settings =
        run("declared", "debezium-json-flat", "columns: " + DeclaredColumns.yaml() + ", ");

    try (TableReader reader = TableReader.open(settings.catalog(), "shop.declared")) {
      reader.read(
          RowQuery.ALL,
          held ->
              assertThat(DeclaredColumns.held(held::getField))
                  .isEqualTo(DeclaredColumns.expected()));
    }
    assertThat(verify("declared")).contains("EQUAL: every key and column of shop.declared");
  }

  /** Somebody changes one row, doubles another and takes a third away. */
  private void damage(String topic) throws IOException {
    Table table =
        CatalogUtil.buildIcebergCatalog(
                "lake",
                Map.of("type", "hadoop", "warehouse", directory.resolve("lake").toString()),
                new Configuration())
            .loadTable(TableIdentifier.of("shop", topic));
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      records.forEach(rows::add);
    }
    String text = topic.equals("mongo") ? "document" : "name";
    rows.get(0).setField(text, rows.get(0).getField(text) + " and more");
    rows.set(1, rows.get(2).copy());
    RewrittenRows.replaceAll(table, rows);
  }

  private String verify(String topic, String... options) {
    return type("verify", topic, options);
  }

  private String type(String command, String topic, String... options) {
    List<String> args =
        new ArrayList<>(List.of(command, "-c", directory.resolve(topic + ".yaml").toString()));
    args.addAll(List.of(options));
    StringWriter out = new StringWriter();
    TidemarkCommand.run(
        new PrintWriter(out),
        new PrintWriter(out),
        args.toArray(String[]::new),
        new VerifyCommand());
    return out.toString();
  }

  private Settings settings(String topic) {
    return Settings.read(directory.resolve(topic + ".yaml"));
  }

  /** What the connector sends: each delete is followed by a record without value. */
  private static List<SourceRecord> withTombstones(List<SourceRecord> changes) {
    List<SourceRecord> all = new ArrayList<>();
    for (SourceRecord change : changes) {
      all.add(change);
      if (((Struct) change.value()).get("op").equals("d")) {
        all.add(change.newRecord("s.t", null, change.keySchema(), change.key(), null, null, null));
      }
    }
    return all;
  }

  /** Where a delete is a record without value, what orders it is in its headers. */
  private static List<SourceRecord> flat(List<SourceRecord> changes, DeleteHandling deletes) {
    ExtractNewRecordState<SourceRecord> transform = new ExtractNewRecordState<>();
    transform.configure(
        Map.of(
            "delete.tombstone.handling.mode",
            deletes.toString(),
            "add.fields",
            ADDED,
            "add.headers",
            deletes == DeleteHandling.TOMBSTONE ? ADDED : ""));
    return changes.stream().map(transform::apply).toList();
  }

  private static UnaryOperator<RawRecord> damagedAt(int offset) {
    return record ->
        record.at().offset() == offset
            ? new RawRecord(
                record.at(),
                record.timestampMillis(),
                record.key(),
                new byte[] {9},
                record.headers())
            : record;
  }

  /** The one record that was put aside comes back as it should have been. */
  private void correctAndRedrive(String topic, SourceRecord right, SameRowTest.Writer writer)
      throws Exception {
    List<ConsumerRecord<byte[], byte[]>> letters = TopicLog.read(kafka, topic + ".dead");
    assertThat(letters).hasSize(1);
    ConsumerRecord<byte[], byte[]> letter = letters.get(0);
    byte[] value = writer.write(right.valueSchema(), right.value());
    if (letter.headers().lastHeader("apicurio.value.contentId") != null) {
      value = Arrays.copyOfRange(value, 1 + Integer.BYTES, value.length);
    }
    ProducerRecord<byte[], byte[]> correction =
        new ProducerRecord<>(topic + ".dead", 0, letter.key(), value);
    letter.headers().forEach(header -> correction.headers().add(header));
    correction.headers().remove("tidemark.problem");
    try (Producer<byte[], byte[]> producer = producer()) {
      producer.send(correction).get();
    }
    assertThat(type("redrive", topic)).contains("put back    1: ");
  }

  private static void send(String topic, List<SourceRecord> records, SameRowTest.Writer writer) {
    send(topic, records, writer, UnaryOperator.identity());
  }

  private static Map<String, byte[]> headers(SourceRecord record) {
    SimpleHeaderConverter converter = new SimpleHeaderConverter();
    Map<String, byte[]> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(
          header.key(),
          converter.fromConnectHeader("s.t", header.key(), header.schema(), header.value()));
    }
    return headers;
  }

  private static Producer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", kafka.bootstrapServers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static void send(
      String topic,
      List<SourceRecord> records,
      SameRowTest.Writer writer,
      UnaryOperator<RawRecord> framing) {
    kafka.createTopic(topic, 1);
    kafka.createTopic(topic + ".dead", 1);
    try (Producer<byte[], byte[]> producer = producer()) {
      for (int i = 0; i < records.size(); i++) {
        SourceRecord record = records.get(i);
        RawRecord framed =
            framing.apply(
                new RawRecord(
                    new SourceOffset(topic, 0, i),
                    0,
                    writer.write(record.keySchema(), record.key()),
                    writer.write(record.valueSchema(), record.value()),
                    headers(record)));
        ProducerRecord<byte[], byte[]> sent =
            new ProducerRecord<>(topic, 0, framed.key(), framed.value());
        framed.headers().forEach((name, bytes) -> sent.headers().add(name, bytes));
        producer.send(sent);
      }
    }
  }

  private Map<Long, String> table(String topic, String format) throws Exception {
    return RowText.byId(run(topic, format), "shop." + topic);
  }

  private Settings run(String topic, String format) throws Exception {
    return run(topic, format, "");
  }

  /** Runs the job to the end of the topic, by a configuration file that stays. */
  private Settings run(String topic, String format, String route) throws Exception {
    Files.writeString(
        directory.resolve(topic + ".yaml"),
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
        routes: [{topics: '.*', table: shop.%1$s, %5$smissing-document: ignore}]
        errors: {policy: dead-letter, topic: %1$s.dead}
        """
            .formatted(
                topic, kafka.bootstrapServers(), format, directory.resolve("lake").toUri(), route));
    Settings settings = settings(topic);
    try (LocalJob job = LocalJob.start(settings, RunOptions.catchUp())) {
      job.await();
    }
    return settings;
  }
}
