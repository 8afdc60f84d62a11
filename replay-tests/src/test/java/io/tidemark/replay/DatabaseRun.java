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
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
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

    orders.change(40);
    snapshot("blocking", "Initial Snapshot");
    orders.change(40);
    rest("after a blocking snapshot");

    connector.close();
    Path older = Files.copy(offsets(), dir.resolve("older"));
    start(false);
    orders.change(60);
    awaitShipped();
    connector.close();
    Files.copy(older, offsets(), StandardCopyOption.REPLACE_EXISTING);
    orders.change(60);
    start(true); // and sends again what it sent since then
    orders.change(60);
    rest("after a start from older offsets");

    secondSnapshot();
  }

  private void secondSnapshot() throws Exception {
    connector.close();
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
            .formatted(
                kind, "{\"data-collections\": [\"shop.orders\"], \"type\": \"" + kind + "\"}"));
    awaitSnapshot(note);
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
    System.out.println(database.name() + ", " + when + ": " + job.check());
    TreeMap<Long, String> expected = selectAll();
    assertThat(expected).hasSizeGreaterThan(20);
    TreeMap<Long, String> found = rows();
    TreeSet<Long> different = new TreeSet<>(expected.keySet());
    different.addAll(found.keySet());
    different.removeIf(id -> Objects.equals(expected.get(id), found.get(id)));
    assertThat(different)
        .as(when)
        .extracting(id -> "database " + expected.get(id) + ", table " + found.get(id))
        .isEmpty();
    rests++;
  }

  private void awaitShipped() throws Exception {
    long fence = ++lastFence;
    execute("INSERT INTO shop.fences VALUES (" + fence + ")");
    fences.await(
        "fence " + fence,
        value -> value.contains("\"after\":{\"id\":" + fence + "}"),
        connector,
        () -> {});
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
        rows.put(found.getLong("id"), text(row));
      }
    }
    return rows;
  }

  private TreeMap<Long, String> rows() throws IOException {
    TreeMap<Long, String> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(job.table()).build()) {
      for (Record record : records) {
        rows.put(
            (Long) record.getField("id"), text(COLUMNS.stream().map(record::getField).toArray()));
      }
    }
    return rows;
  }

  /** Each value, and of the long text what tells it from others. */
  private static String text(Object[] row) {
    int last = row.length - 1;
    row[last] = row[last] instanceof String text ? text.length() + text.substring(9_000) : null;
    return Arrays.toString(row);
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
