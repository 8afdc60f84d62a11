package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.tidemark.commit.NewEpoch;
import io.tidemark.job.EpochBeginning;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.TableReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One run against a real database: transactions that interleave and stay open over snapshots of
 * every kind, logs that rotate, a connector that is killed and starts from older offsets. At each
 * rest the table is what the database itself says.
 */
final class DatabaseRun implements AutoCloseable {

  static final String INITIAL = "rows of the initial snapshot";
  static final String BY_SIGNAL = "rows of the incremental snapshot by signal";
  static final String BLOCKING = "rows of the blocking snapshot";
  static final String READ_ONLY = "rows of read-only snapshots";
  static final String SECOND = "rows of the second snapshot";
  static final String OPEN = "transactions that were open over the second snapshot";
  static final String RESTORED = "rows of the snapshot of a restored server";
  static final String EPOCHS = "partitions in which an epoch began, of a restored server";

  private static final Pattern BEGIN = Pattern.compile(" --begin \\S+:([0-9]+)=([0-9]+)");
  private static final Duration BEYOND_TOLERANCE = Duration.ofSeconds(11);

  private final Map<String, Long> counted = new TreeMap<>();
  private final Map<String, Long> seen = new TreeMap<>();
  private SourceDatabase database;
  private @Nullable SourceDatabase another;
  private final Path dir;
  private final String prefix;
  private final ReplayJob job;
  private final AtRest beside;
  private final OrdersComparison rows = new OrdersComparison();
  private RandomOrders orders;
  private Connection connection;
  private final TopicWatch fences;
  private final TopicWatch signals;
  private final TopicWatch notes;
  private ConnectorProcess connector;
  private long lastFence;
  private boolean readOnly;
  private int lastSignal;
  private int rests;

  DatabaseRun(SourceDatabase database, Random random, Path dir, AtRest beside) throws Exception {
    this.database = database;
    this.beside = beside;
    this.dir = dir;
    prefix = database.name() + Math.abs(random.nextInt());
    connection = database.connect();
    execute("CREATE SCHEMA IF NOT EXISTS shop");
    for (String statement : database.createOrders().split(";")) {
      execute(statement);
    }
    createOthers();
    orders = new RandomOrders(database, random);
    ReplayKafka.createTopic(prefix + ".shop.orders", 4);
    fences = new TopicWatch(prefix + ".shop.fences");
    signals = new TopicWatch(prefix + ".shop.signals");
    notes = new TopicWatch(prefix + ".notes");
    job =
        new ReplayJob(
            prefix + ".shop.orders", dir, OracleOptions.DEFAULT, List.of("unknown-values: 'null'"));
  }

  private void createOthers() throws SQLException {
    execute("CREATE TABLE shop.fences (id bigint PRIMARY KEY)");
    execute("CREATE TABLE shop.signals (id varchar(64) PRIMARY KEY, type varchar(32), data text)");
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
    count(INITIAL, LogFacts.WHOLE);

    orders.change(40);
    snapshot("incremental", "Incremental Snapshot");
    orders.change(40);
    rest("after an incremental snapshot");
    count(BY_SIGNAL, LogFacts.INCREMENTAL);

    database.logOldRows(connection, true);
    orders.change(40);
    snapshot("blocking", "Initial Snapshot");
    orders.change(40);
    rest("after a blocking snapshot");
    count(BLOCKING, LogFacts.WHOLE);
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
    restoredServer();
    System.out.println(database.name() + ", all snapshots: " + check());
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
    count(READ_ONLY, LogFacts.INCREMENTAL);
  }

  private void secondSnapshot() throws Exception {
    connector.close();
    readOnly = false;
    Files.delete(offsets());
    Files.deleteIfExists(dir.resolve("history"));
    // No deletes until the snapshot stands: nobody would hear of them.
    execute("UPDATE shop.orders SET n = n + 1000");
    orders.openEach();
    Set<String> open = database.writing(connection);
    notes.skip();
    start(true);
    awaitSnapshot("Initial Snapshot", () -> {});
    open.retainAll(database.writing(connection));
    counted.put(OPEN, (long) open.size());
    orders.commitLongest(); // what is streamed first is one of them, and not left to the dice
    orders.change(60);
    rest("after a second snapshot");
    count(SECOND, LogFacts.WHOLE);
  }

  /**
   * The server is lost, and a new one gets its rows from a dump. Its positions start over: the job
   * stops and says where, and goes on in an epoch that begins there.
   */
  private void restoredServer() throws Exception {
    SourceDatabase restored = database.restored(dir.resolve("restored"), connection);
    if (restored == null) {
      return;
    }
    another = restored;
    connector.close();
    Files.delete(offsets());
    orders.close();
    connection.close();
    Instant lost = Instant.now();
    database = restored;
    connection = database.connect();
    createOthers();
    orders = orders.on(database);
    notes.skip();
    start(true);
    awaitSnapshot("Initial Snapshot", () -> {});
    rest("after the snapshot of a restored server");
    count(RESTORED, LogFacts.WHOLE);
    while (Instant.now().isBefore(lost.plus(BEYOND_TOLERANCE))) {
      awaitShipped(); // what is hardly newer than the last change of the old server is no proof
    }

    orders.change(100);
    orders.commitAll();
    awaitShipped();
    long tableBefore = job.table().currentSnapshot().snapshotId();
    Throwable stopped = catchThrowable(job::catchUp);
    assertThat(stopped).as("the job of a source whose positions started over").isNotNull();
    StringWriter trace = new StringWriter();
    stopped.printStackTrace(new PrintWriter(trace));
    String told = trace.toString();
    assertThat(told)
        .contains("topic " + job.topic() + ", partition ")
        .contains("the source's positions started over");
    Matcher begin = BEGIN.matcher(told);
    assertThat(begin.find()).as(told).isTrue();
    assertThat(job.table().currentSnapshot().snapshotId()).isEqualTo(tableBefore);

    SortedMap<Integer, Long> at =
        new TreeMap<>(Map.of(Integer.valueOf(begin.group(1)), Long.valueOf(begin.group(2))));
    EpochBeginning.begin(job.settings(), new NewEpoch.Request(job.topic(), at, true));
    rest("after an epoch of a restored server");
    counted.put(EPOCHS, (long) epochs().numbers().size());
  }

  private Epochs epochs() {
    String recorded = job.lastRecord().get("tidemark.epochs");
    return recorded == null ? Epochs.NONE : Epochs.parse(recorded);
  }

  /** Every snapshot that the table ever had is the fold of the log up to its offsets. */
  private TableReport check() {
    return job.invariants(epochs()).caughtUp();
  }

  /** Counts what came of a kind since the last time. */
  private void count(String what, String kind) {
    long all = LogFacts.of(job.log()).getOrDefault(kind, 0L);
    counted.put(what, all - seen.getOrDefault(kind, 0L));
    seen.put(kind, all);
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
    rows.requireSame(when, connection, job, epochs());
    if (another == null) {
      beside.look(when, connection, job);
    }
    System.out.println(database.name() + ", " + when + ": as SELECT * has it");
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
    facts.putAll(counted);
    facts.put(OrdersComparison.KEPT, rows.kept());
    facts.put(OrdersComparison.UNKNOWN, rows.unknown());
    return facts;
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
    if (another != null) {
      another.close();
    }
  }
}
