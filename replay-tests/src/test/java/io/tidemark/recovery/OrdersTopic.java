package io.tidemark.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cli.TidemarkCommand;
import io.tidemark.config.CatalogSettings;
import io.tidemark.config.Settings;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.Gaps;
import io.tidemark.oracle.Invariants;
import io.tidemark.oracle.LogFormat;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawLog;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.verify.VerifyCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A topic of one partition on a real broker, its table, and real jobs between the two. */
final class OrdersTopic implements AutoCloseable {
  static final String TABLE = "shop.orders";

  private static final OracleOptions OPTIONS =
      new OracleOptions(
          "auto",
          List.of("id"),
          JsonNodeFactory.instance
              .arrayNode()
              .add(column("id", "int64"))
              .add(column("note", "string").put("optional", true)),
          false,
          "",
          LogFormat.JSON);

  final String name;
  private final EmbeddedKafka kafka;
  private final Admin admin;
  private final Producer<byte[], byte[]> producer;
  private final Path directory;
  private @Nullable Long producedAtMillis;
  private int partition;

  private static ObjectNode column(String name, String type) {
    return JsonNodeFactory.instance.objectNode().put("field", name).put("type", type);
  }

  /** Creates the topic. */
  OrdersTopic(EmbeddedKafka kafka, String name, Path directory) {
    this.kafka = kafka;
    this.name = name;
    this.directory = directory;
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
    this.admin = Admin.create(properties);
    this.producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    kafka.createTopic(name, 1);
  }

  /** Appends an insert or update of the stream. */
  void put(long id, String note, long lsn, long seconds) throws Exception {
    String after = "{\"id\":%d,\"note\":\"%s\"}".formatted(id, note);
    send(id, envelope("u", "null", after, lsn, seconds));
  }

  /** Appends a row of a snapshot that was taken at a position. */
  void snapshotRow(long id, String note, long lsn, long seconds) throws Exception {
    String after = "{\"id\":%d,\"note\":\"%s\"}".formatted(id, note);
    String row = envelope("r", "null", after, lsn, seconds);
    send(id, row.replace("\"snapshot\":\"false\"", "\"snapshot\":\"true\""));
  }

  /** Appends a delete of the stream. */
  void delete(long id, long lsn, long seconds) throws Exception {
    send(id, envelope("d", "{\"id\":%d}".formatted(id), "null", lsn, seconds));
  }

  static String envelope(String op, String before, String after, long lsn, long seconds) {
    return """
        {"op":"%s","before":%s,"after":%s,"source":{"connector":"postgresql","db":"shop",\
        "schema":"public","table":"orders","snapshot":"false","ts_ms":%d,"lsn":%d,\
        "sequence":"[\\"%d\\",\\"%d\\"]"}}"""
        .formatted(op, before, after, seconds * 1000, lsn, lsn - 1, lsn);
  }

  private void send(long id, String value) throws Exception {
    send(record(name, partition, producedAtMillis, id, value));
  }

  /** A record for some topic. */
  static ProducerRecord<byte[], byte[]> record(
      String topic, int partition, @Nullable Long millis, long id, @Nullable String value) {
    byte[] key = "{\"id\":%d}".formatted(id).getBytes(UTF_8);
    return new ProducerRecord<>(
        topic, partition, millis, key, value == null ? null : value.getBytes(UTF_8));
  }

  /** Appends a record to any topic. */
  void send(ProducerRecord<byte[], byte[]> record) throws Exception {
    producer.send(record).get();
  }

  /** What is appended from now on was produced at a time, and is kept however old it is. */
  void producedAt(long seconds) throws Exception {
    producedAtMillis = seconds * 1000;
    set(name, "retention.ms", "-1");
  }

  /** A topic takes records of so many bytes from now on. */
  void takes(String topic, int bytes) throws Exception {
    set(topic, "max.message.bytes", Integer.toString(bytes));
  }

  private void set(String topic, String key, String value) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    AlterConfigOp set = new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    admin.incrementalAlterConfigs(Map.of(resource, List.of(set))).all().get();
  }

  /** Deletes the topic and creates another one of its name. */
  void recreate() throws Exception {
    admin.deleteTopics(List.of(name)).all().get();
    while (admin.listTopics().names().get().contains(name)) {
      Thread.onSpinWait();
    }
    kafka.createTopic(name, 1);
  }

  /** Adds a partition, into which all goes from now on. */
  void addPartition() throws Exception {
    growTo(2);
    partition = 1;
  }

  /** It has so many partitions from now on. */
  void growTo(int partitions) throws Exception {
    admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions))).all().get();
    while (kafka.endOffsets(name).size() < partitions) { // their leaders answer
      Thread.onSpinWait();
    }
  }

  /** Into which partition all goes from now on. */
  OrdersTopic into(int number) {
    partition = number;
    return this;
  }

  /** What retention does: everything below an offset is gone. */
  void forgetBelow(long offset) throws Exception {
    forgetBelow(0, offset);
  }

  /** The same, of another partition than the first. */
  void forgetBelow(int of, long offset) throws Exception {
    admin
        .deleteRecords(Map.of(new TopicPartition(name, of), RecordsToDelete.beforeOffset(offset)))
        .all()
        .get();
  }

  /** What a command printed. */
  record Outcome(int exit, String out, String err) {
    private static final Pattern COMMAND =
        Pattern.compile("\\./tidemark (epoch -c \\S+ --begin \\S+( --all)?)");

    /** The command that it says to type. */
    String[] command() {
      Matcher found = COMMAND.matcher(err);
      if (!found.find()) {
        throw new AssertionError("No command in: " + err);
      }
      return found.group(1).split(" ");
    }
  }

  /** Types a command of this table's configuration. */
  Outcome type(String... words) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        TidemarkCommand.run(new PrintWriter(out), new PrintWriter(err), words, new VerifyCommand());
    return new Outcome(exit, out.toString(), err.toString());
  }

  /** The configuration as a file. */
  Path file() throws IOException {
    return Files.writeString(directory.resolve(name + ".yaml"), yaml());
  }

  Settings settings(String more) {
    return Settings.parse(yaml() + more, Map.of());
  }

  String yaml() {
    return """
        name: %s
        kafka:
          bootstrap.servers: %s
          topics: ['%s']
        catalog:
          name: lake
          properties: {type: hadoop, warehouse: '%s'}
        flink: {parallelism.default: 1, execution.checkpointing.interval: 200ms}
        routes:
          - topics: '.*'
            table: %s
            key: [id]
            columns: {id: long, note: string}
        """
        .formatted(name, kafka.bootstrapServers(), name, directory.resolve("lake").toUri(), TABLE);
  }

  /** Runs a job until it caught up. */
  void run(RunOptions options) throws InterruptedException {
    run(settings(""), options);
  }

  static void run(Settings settings, RunOptions options) throws InterruptedException {
    try (LocalJob job = LocalJob.start(settings, options)) {
      job.await();
    }
  }

  /** Rows by id, with their note. */
  Map<Long, String> rows() throws IOException {
    Map<Long, String> rows = new TreeMap<>();
    try (TableReader reader = TableReader.open(settings("").catalog(), TABLE)) {
      reader.read(
          RowQuery.ALL,
          row -> rows.merge((Long) row.getField("id"), "" + row.getField("note"), String::concat));
    }
    return rows;
  }

  /** The summary of the table's current snapshot. */
  Map<String, String> summary() {
    return new HashMap<>(table().currentSnapshot().summary());
  }

  Table table() {
    return table(TABLE);
  }

  Table table(String identifier) {
    return catalog().loadTable(TableIdentifier.parse(identifier));
  }

  /** What must hold of the table. */
  Invariants invariants() {
    return invariants(Epochs.NONE, this::log);
  }

  /** The same by another log than the topic's, in which epochs were begun. */
  Invariants invariants(Epochs epochs, Supplier<RawLog> events) {
    return new Invariants(table(), tombstones(), OPTIONS, epochs, events);
  }

  /** The same where gaps were accepted. */
  Invariants invariants(Epochs epochs, Gaps gaps) {
    return new Invariants(table(), tombstones(), OPTIONS, epochs, gaps, this::log);
  }

  RawLog log() {
    return RawLog.read(kafka.bootstrapServers(), List.of(name));
  }

  Table tombstones() {
    return catalog().loadTable(TableIdentifier.parse(TABLE + "__tombstones"));
  }

  Catalog catalog() {
    CatalogSettings settings = settings("").catalog();
    return CatalogUtil.buildIcebergCatalog(
        settings.name(), settings.properties(), new Configuration());
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
  }
}
