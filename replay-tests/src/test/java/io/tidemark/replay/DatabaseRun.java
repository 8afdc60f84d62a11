package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.OracleOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ByteBuffers;

/**
 * One run against a real database: transactions that interleave and stay open over snapshots of
 * every kind, logs that rotate, a connector that is killed and starts from older offsets. At each
 * rest the table is what the database itself says.
 */
final class DatabaseRun implements AutoCloseable {

  static final String READ_ONLY = "rows of read-only snapshots";
  static final String KEPT = "values that an update left out, in the table";
  static final String UNKNOWN = "values that a changed key left behind, null in the table";

  private static final List<String> COLUMNS =
      List.of("id", "name", "n", "amount", "at", "long_text", "doc", "data");

  private final SourceDatabase database;
  private final Path dir;
  private final String prefix;
  private final ReplayJob job;
  private final RandomOrders orders;
  private final Connection connection;
  private final TopicWatch fences;
  private final TopicWatch signals;
  private final TopicWatch notes;
  private ConnectorProcess connector;
  private long lastFence;
  private boolean readOnly;
  private int lastSignal;
  private long readOnlyRows;
  private long kept;
  private long unknown;
  private int rests;

  DatabaseRun(SourceDatabase database, Random random, Path dir) throws Exception {
    this.database = database;
    this.dir = dir;
    prefix = database.name() + Math.abs(random.nextInt());
    connection = database.connect();
    execute("CREATE SCHEMA IF NOT EXISTS shop");
    for (String statement : database.createOrders().split(";")) {
      execute(statement);
    }
    execute("CREATE TABLE shop.fences (id bigint PRIMARY KEY)");
    execute("CREATE TABLE shop.signals (id varchar(64) PRIMARY KEY, type varchar(32), data text)");
    orders = new RandomOrders(database, random);
    ReplayKafka.createTopic(prefix + ".shop.orders", 4);
    fences = new TopicWatch(prefix + ".shop.fences");
    signals = new TopicWatch(prefix + ".shop.signals");
    notes = new TopicWatch(prefix + ".notes");
    job =
        new ReplayJob(
            prefix + ".shop.orders", dir, OracleOptions.DEFAULT, List.of("unknown-values: 'null'"));
  }

  void run() throws Exception {
    orders.change(150);
    start(true); // the first session's transaction is open over the snapshot
    awaitSnapshot("Initial Snapshot");
    orders.change(100);
    orders.commitAll();
    orders.bulk(200);
    orders.change(100);
    rest("after the initial snapshot");

    orders.change(40);
    snapshot("incremental", "Incremental Snapshot");
    orders.change(40);
    rest("after an incremental snapshot");

    database.logOldRows(connection, true);
    orders.change(40);
    snapshot("blocking", "Initial Snapshot");
    orders.change(40);
    rest("after a blocking snapshot");
    database.logOldRows(connection, false);

    connector.close();
    Path older = Files.copy(offsets(), dir.resolve("older"));
    start(false);
    orders.change(60);
    awaitShipped();
    connector.close();
    Files.copy(older, offsets(), StandardCopyOption.REPLACE_EXISTING);
    orders.change(60);
    readOnly = true;
    start(true); // and sends again what it sent since then
    orders.change(60);
    readOnlySnapshots();
    rest("after a start from older offsets and read-only snapshots");

    secondSnapshot();
    compressedLog();
  }

  /**
   * Chunks that come while nothing is streamed, each with a sign that nothing happens. Transactions
   * are open meanwhile that began to write before the last one committed, and have changed rows of
   * the chunks. Then once more, among changes.
   */
  private void readOnlySnapshots() throws Exception {
    orders.commitAll();
    connection.setAutoCommit(false);
    long last = ++lastFence;
    execute("INSERT INTO shop.fences VALUES (" + last + ")"); // the oldest transaction
    orders.openEach();
    connection.commit();
    connection.setAutoCommit(true);
    awaitFence(last);
    long before = facts().get(LogFacts.INCREMENTAL);
    Files.writeString(
        dir.resolve("signal"),
        "{\"id\": \"quiet\", \"type\": \"execute-snapshot\", \"data\": %s}\n"
            .formatted(snapshotOf("incremental")));
    awaitSnapshot("Incremental Snapshot", () -> {});
    orders.commitAll();
    orders.change(40);
    snapshot("incremental", "Incremental Snapshot");
    orders.change(40);
    awaitShipped();
    readOnlyRows = facts().get(LogFacts.INCREMENTAL) - before;
  }

  private void secondSnapshot() throws Exception {
    connector.close();
    readOnly = false;
    Files.delete(offsets());
    Files.deleteIfExists(dir.resolve("history"));
    // No deletes until the snapshot stands: nobody would hear of them.
    execute("UPDATE shop.orders SET n = n + 1000");
    orders.openEach();
    notes.skip();
    start(true);
    awaitSnapshot("Initial Snapshot", () -> {});
    orders.change(60);
    rest("after a second snapshot");
  }

  /** What a connector passes over without a word nobody can find: so say the docs. */
  private void compressedLog() throws Exception {
    if (database.compressLog(connection)) {
      int before = job.log().events().size();
      try (Connection session = database.connect();
          Statement sql = session.createStatement()) {
        sql.execute("UPDATE shop.orders SET long_text = '" + "y".repeat(3_000) + "' LIMIT 1");
      }
      awaitShipped();
      assertThat(job.log().events()).as("with log_bin_compress").hasSize(before);
    }
  }

  /**
   * Starts the connector.
   *
   * @param confirm whether it tells PostgreSQL how far it got, which then sends nothing again
   */
  private void start(boolean confirm) throws Exception {
    Properties properties = database.connector();
    properties.put(ConnectorMain.BOOTSTRAP_SERVERS, ReplayKafka.bootstrapServers());
    properties.put("name", "run");
    properties.put("database.hostname", "127.0.0.1");
    properties.put("topic.prefix", prefix);
    properties.put("table.include.list", "shop.orders,shop.fences,shop.signals");
    properties.put("signal.data.collection", "shop.signals");
    properties.put("signal.enabled.channels", "source,file");
    properties.put("signal.file", dir.resolve("signal").toString());
    properties.put("signal.poll.interval.ms", "200");
    properties.put("read.only", String.valueOf(readOnly));
    properties.put("incremental.snapshot.chunk.size", "50");
    properties.put("notification.enabled.channels", "sink");
    properties.put("notification.sink.topic.name", prefix + ".notes");
    properties.put("flush.lsn.source", String.valueOf(confirm));
    properties.put("poll.interval.ms", "20");
    properties.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    properties.put("offset.storage.file.filename", offsets().toString());
    properties.put("offset.flush.interval.ms", "300");
    properties.put("schema.history.internal.file.filename", dir.resolve("history").toString());
    connector = ConnectorProcess.start(database.classPath(), properties, dir);
  }

  private void snapshot(String kind, String note) throws Exception {
    execute(
        "INSERT INTO shop.signals VALUES ('%s', 'execute-snapshot', '%s')"
            .formatted(kind + ++lastSignal, snapshotOf(kind)));
    awaitSnapshot(note);
  }

  private static String snapshotOf(String kind) {
    return "{\"data-collections\": [\"shop.orders\"], \"type\": \"" + kind + "\"}";
  }

  /** A new replication slot waits for the end of transactions that were open; these end. */
  private void awaitSnapshot(String kind) throws Exception {
    awaitSnapshot(
        kind,
        () -> {
          orders.commitLongest();
          orders.change(5);
        });
  }

  private void awaitSnapshot(String kind, TopicWatch.Meanwhile meanwhile) throws Exception {
    notes.await(
        kind + " that is completed",
        note -> note.contains("\"" + kind + "\"") && note.contains("\"COMPLETED\""),
        connector,
        meanwhile);
  }

  private Path offsets() {
    return dir.resolve("offsets");
  }

  /** All is committed, shipped and applied; nothing is left to compare but the rows. */
  private void rest(String when) throws Exception {
    orders.commitAll();
    awaitShipped();
    job.catchUp();
    TreeMap<Long, List<String>> expected = selectAll();
    assertThat(expected).hasSizeGreaterThan(20);
    TreeMap<Long, List<String>> found = rows(expected);
    TreeSet<Long> different = new TreeSet<>(expected.keySet());
    different.addAll(found.keySet());
    different.removeIf(id -> Objects.equals(expected.get(id), found.get(id)));
    assertThat(different)
        .as(when)
        .extracting(id -> "database " + expected.get(id) + ", table " + found.get(id))
        .isEmpty();
    System.out.println(database.name() + ", " + when + ": " + job.check());
    rests++;
  }

  /**
   * Waits until all that was committed is in Kafka. A fence may be there before what was sent in
   * one batch with it; a second one, made when the first is there, is in a later batch.
   */
  private void awaitShipped() throws Exception {
    for (int i = 0; i < 2; i++) {
      long fence = ++lastFence;
      execute("INSERT INTO shop.fences VALUES (" + fence + ")");
      awaitFence(fence);
    }
  }

  private void awaitFence(long fence) throws Exception {
    fences.await(
        "fence " + fence,
        value -> value.contains("\"after\":{\"id\":" + fence + "}"),
        connector,
        () -> {});
  }

  int rests() {
    return rests;
  }

  /** By kind how many records of each there are in the topic, and how many values in the table. */
  Map<String, Long> facts() {
    Map<String, Long> facts = LogFacts.of(job.log());
    facts.put(READ_ONLY, readOnlyRows);
    facts.put(KEPT, kept);
    facts.put(UNKNOWN, unknown);
    return facts;
  }

  private TreeMap<Long, List<String>> selectAll() throws SQLException {
    TreeMap<Long, List<String>> rows = new TreeMap<>();
    try (Statement sql = connection.createStatement();
        ResultSet found = sql.executeQuery("SELECT * FROM shop.orders")) {
      while (found.next()) {
        List<Object> row = new ArrayList<>();
        row.add(found.getLong("id"));
        row.add(found.getString("name"));
        row.add(found.getObject("n"));
        row.add(found.getBigDecimal("amount"));
        row.add(found.getObject("at", LocalDateTime.class));
        row.add(found.getString("long_text"));
        row.add(found.getString("doc"));
        row.add(found.getBytes("data"));
        rows.put(found.getLong("id"), row.stream().map(DatabaseRun::text).toList());
      }
    }
    return rows;
  }

  /**
   * The rows of the table. A value that a changed key left behind is only known to the database:
   * where the table says so, it is taken from there.
   */
  private TreeMap<Long, List<String>> rows(Map<Long, List<String>> database) throws IOException {
    TreeMap<Long, List<String>> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(job.table()).build()) {
      for (Record record : records) {
        Long id = (Long) record.getField("id");
        List<String> row = new ArrayList<>();
        for (String column : COLUMNS) {
          String told =
              record.getField("_kept") instanceof Map<?, ?> kept ? (String) kept.get(column) : null;
          boolean isUnknown = told != null && told.startsWith("?");
          kept += told != null && !isUnknown ? 1 : 0;
          unknown += isUnknown ? 1 : 0;
          assertThat(isUnknown && record.getField(column) != null).as("%s", told).isFalse();
          row.add(
              isUnknown && database.containsKey(id)
                  ? database.get(id).get(COLUMNS.indexOf(column))
                  : text(record.getField(column)));
        }
        rows.put(id, row);
      }
    }
    return rows;
  }

  /** A value, and of a large one what tells it from others. */
  private static String text(Object value) {
    if (value instanceof byte[] bytes) {
      return text(ByteBuffer.wrap(bytes));
    }
    String text =
        value instanceof ByteBuffer bytes
            ? HexFormat.of().formatHex(ByteBuffers.toByteArray(bytes))
            : String.valueOf(value);
    return text.length() > 100 ? text.length() + " characters, " + text.hashCode() : text;
  }

  private void execute(String statement) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute(statement);
    }
  }

  @Override
  public void close() throws Exception {
    if (connector != null) {
      connector.close();
    }
    orders.close();
    connection.close();
    fences.close();
    signals.close();
    notes.close();
  }
}
