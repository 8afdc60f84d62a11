package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.OracleOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

/**
 * One run against a real database: transactions that interleave and stay open over snapshots of
 * every kind, logs that rotate, a connector that is killed and starts from older offsets. At each
 * rest the table is what the database itself says.
 */
final class DatabaseRun implements AutoCloseable {

  private static final List<String> COLUMNS =
      List.of("id", "name", "n", "amount", "at", "long_text");

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
    job = new ReplayJob(prefix + ".shop.orders", dir, OracleOptions.DEFAULT, List.of());
  }

  void run() throws Exception {
    orders.change(150);
    start(); // the first session's transaction is open over the snapshot
    awaitSnapshot("Initial Snapshot");
    orders.change(100);
    orders.commitAll();
    orders.change(100);
    orders.bulk(200);
    rest("after the initial snapshot");

    Path older = offsets("older");
    orders.change(80);
    snapshot("incremental", "Incremental Snapshot");
    orders.change(80);
    rest("after an incremental snapshot");

    orders.change(60);
    snapshot("blocking", "Initial Snapshot");
    orders.change(60);
    rest("after a blocking snapshot");

    orders.change(40);
    connector.close();
    Files.copy(older, offsets(), StandardCopyOption.REPLACE_EXISTING);
    orders.change(60);
    start(); // and sends again what it sent since then
    orders.change(60);
    rest("after a start from older offsets");

    orders.commitAll();
    connector.close();
    Files.delete(offsets());
    Files.deleteIfExists(dir.resolve("history"));
    execute("UPDATE shop.orders SET n = n + 1000"); // no deletes: nobody would hear of them
    orders.openEach();
    start();
    awaitSnapshot("Initial Snapshot");
    orders.change(60);
    rest("after a second snapshot");
  }

  private void start() throws Exception {
    Properties properties = database.connector();
    properties.put(ConnectorMain.BOOTSTRAP_SERVERS, ReplayKafka.bootstrapServers());
    properties.put("name", "run");
    properties.put("database.hostname", "127.0.0.1");
    properties.put("topic.prefix", prefix);
    properties.put("table.include.list", "shop.orders,shop.fences,shop.signals");
    properties.put("signal.data.collection", "shop.signals");
    properties.put("incremental.snapshot.chunk.size", "50");
    properties.put("notification.enabled.channels", "sink");
    properties.put("notification.sink.topic.name", prefix + ".notes");
    properties.put("poll.interval.ms", "20");
    properties.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    properties.put("offset.storage.file.filename", offsets().toString());
    properties.put("offset.flush.interval.ms", "300");
    properties.put("schema.history.internal.file.filename", dir.resolve("history").toString());
    connector = ConnectorProcess.start(database.classPath(), properties, dir);
  }

  private void snapshot(String kind, String note) throws SQLException {
    execute(
        "INSERT INTO shop.signals VALUES ('%s', 'execute-snapshot', '%s')"
            .formatted(
                kind, "{\"data-collections\": [\"shop.orders\"], \"type\": \"" + kind + "\"}"));
    awaitSnapshot(note);
  }

  private void awaitSnapshot(String kind) {
    notes.await(
        kind + " that is completed",
        note -> note.contains("\"" + kind + "\"") && note.contains("\"COMPLETED\""),
        connector);
  }

  private Path offsets() {
    return dir.resolve("offsets");
  }

  private Path offsets(String copy) throws IOException {
    return Files.copy(offsets(), dir.resolve(copy));
  }

  /** All is committed, shipped and applied; nothing is left to compare but the rows. */
  private void rest(String when) throws Exception {
    orders.commitAll();
    long fence = ++lastFence;
    execute("INSERT INTO shop.fences VALUES (" + fence + ")");
    fences.await(
        "fence " + fence, value -> value.contains("\"after\":{\"id\":" + fence + "}"), connector);
    job.catchUp();
    System.out.println(database.name() + ", " + when + ": " + job.check());
    TreeMap<Long, String> expected = selectAll();
    assertThat(expected).hasSizeGreaterThan(20);
    assertThat(rows()).as(when).isEqualTo(expected);
    rests++;
  }

  int rests() {
    return rests;
  }

  private TreeMap<Long, String> selectAll() throws SQLException {
    TreeMap<Long, String> rows = new TreeMap<>();
    try (Statement sql = connection.createStatement();
        ResultSet found = sql.executeQuery("SELECT * FROM shop.orders")) {
      while (found.next()) {
        Object[] row = {
          found.getLong("id"),
          found.getString("name"),
          found.getObject("n"),
          found.getBigDecimal("amount"),
          found.getObject("at", LocalDateTime.class),
          found.getString("long_text")
        };
        rows.put(found.getLong("id"), Arrays.toString(row));
      }
    }
    return rows;
  }

  private TreeMap<Long, String> rows() throws IOException {
    TreeMap<Long, String> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(job.table()).build()) {
      for (Record record : records) {
        rows.put(
            (Long) record.getField("id"),
            Arrays.toString(COLUMNS.stream().map(record::getField).toArray()));
      }
    }
    return rows;
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
