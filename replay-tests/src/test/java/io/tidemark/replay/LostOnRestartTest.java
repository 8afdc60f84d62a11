package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Offsets that Debezium's MariaDB connector stores, and that say more than it has sent: whoever
 * starts from them never sees some changes. Nobody behind it can tell, so the docs say it ({@code
 * docs/sources.md}). A test that fails says that Debezium was mended.
 */
@Timeout(300)
@EnabledIf(
    value = "byNight",
    disabledReason = "by night: it holds what Debezium does, which no change here can break")
class LostOnRestartTest {

  @TempDir static Path shared;
  private static MariaDbSource source;
  private static int started;

  private final List<String> lines = new ArrayList<>();
  private Path dir;
  private String prefix;
  private TopicWatch fences;
  private ConnectorProcess connector;
  private int lastFence;

  static boolean byNight() {
    return Runs.count("databases") > 1;
  }

  @BeforeAll
  static void startMariaDb() throws Exception {
    source = MariaDbSource.start(shared, RealDatabaseTest.mariaDbClassPath());
    execute("CREATE TABLE shop.fences (id bigint PRIMARY KEY)");
    execute("CREATE TABLE shop.signals (id varchar(64) PRIMARY KEY, type varchar(32), data text)");
  }

  @AfterAll
  static void stopMariaDb() {
    if (source != null) {
      source.close();
    }
  }

  /** Sixty rows, all of which the connector has sent; then it is gone. */
  @BeforeEach
  void sendRows() throws Exception {
    prefix = "lost" + ++started;
    dir = Files.createDirectory(shared.resolve(prefix));
    execute("CREATE OR REPLACE TABLE shop.orders (id bigint PRIMARY KEY, n int)");
    execute("INSERT INTO shop.orders SELECT seq, 0 FROM shop.seq_1_to_60");
    ReplayKafka.createTopic(prefix + ".shop.orders", 1);
    ReplayKafka.createTopic(prefix + ".shop.signals", 1);
    ReplayKafka.createTopic(prefix + ".notes", 1);
    fences = new TopicWatch(prefix + ".shop.fences");
    start(Map.of(ConnectorMain.STOP_AT, "^u 1 "));
    fences.await(
        "fence that is streamed", // the first ones may be rows of the snapshot
        value -> value.contains("\"op\":\"c\""),
        connector,
        () -> execute("INSERT INTO shop.fences VALUES (" + nextFence() + ")"));
    transaction("UPDATE shop.orders SET n = 1 WHERE id = 1");
    connector.awaitStop(); // a kill may leave half a file of offsets
    sent();
  }

  @AfterEach
  void stop() throws Exception {
    if (connector != null) {
      connector.close();
    }
    fences.close();
  }

  /** A change of a key is two records, and the first has the offset of both. */
  @Test
  void secondHalfOfKeyChange() throws Exception {
    transaction("UPDATE shop.orders SET id = 105 WHERE id = 5");

    stopAt("^d 5 ", Map.of());
    assertThat(sent()).containsExactly("d 5");
    goOn();
    assertThat(sent()).doesNotContain("c 105").isEmpty();
  }

  /** Rows of a read-only snapshot come before a change and have an offset after it. */
  @Test
  void changeAfterRowsOfReadOnlySnapshot() throws Exception {
    transaction(
        "INSERT INTO shop.signals VALUES ('%s', 'execute-snapshot', '%s')"
            .formatted(
                prefix, "{\"data-collections\": [\"shop.orders\"], \"type\": \"incremental\"}"));
    String delete = transaction("DELETE FROM shop.orders WHERE id = 60");
    execute("INSERT INTO shop.fences VALUES (" + nextFence() + ")"); // which chunks are read behind

    stopAt("^r \\d+ of " + delete + ",.* row=1", Map.of());
    assertThat(sent()).isNotEmpty().allMatch(line -> line.startsWith("r "));
    goOn();
    assertThat(sent()).doesNotContain("d 60").contains("r 20");
  }

  /**
   * A connection that was lost in the middle of a transaction: it is sent once more from its begin,
   * and as long as that goes on, offsets say that it was sent and how much of the next one.
   */
  @Test
  void transactionThatWasSentTwice() throws Exception {
    transaction(
        "UPDATE shop.orders SET id = -1 WHERE id = 1",
        "UPDATE shop.orders SET id = 1 WHERE id = 2",
        "UPDATE shop.orders SET id = 2 WHERE id = -1");
    transaction(
        "UPDATE shop.orders SET n = 1 WHERE id = 3",
        "UPDATE shop.orders SET n = 1 WHERE id = 4",
        "UPDATE shop.orders SET n = 1 WHERE id = 5");

    stopAt("^c -1 of (\\S+),.* gtids=\\1,", Map.of(ConnectorMain.PAUSE_AT, "^c -1 of "));
    assertThat(sent()).startsWith("d 1", "- 1", "c -1").endsWith("d 1", "- 1", "c -1");
    goOn();
    assertThat(sent()).doesNotContain("d -1", "c 2", "u 3").contains("u 5");
  }

  private void stopAt(String pattern, Map<String, String> more) throws Exception {
    Properties both = new Properties();
    both.putAll(more);
    both.put(ConnectorMain.STOP_AT, pattern);
    start(both);
    connector.awaitStop();
  }

  /** From the offset that was stored last. */
  private void goOn() throws Exception {
    start(Map.of());
    awaitFence();
  }

  private void start(Map<?, ?> more) throws IOException {
    Properties properties = source.connector();
    properties.put(ConnectorMain.BOOTSTRAP_SERVERS, ReplayKafka.bootstrapServers());
    properties.put("name", "lost");
    properties.put("database.hostname", "127.0.0.1");
    properties.put("topic.prefix", prefix);
    properties.put("table.include.list", "shop.orders,shop.fences,shop.signals");
    properties.put("read.only", "true");
    properties.put("signal.data.collection", "shop.signals");
    properties.put("signal.enabled.channels", "source");
    properties.put("incremental.snapshot.chunk.size", "5");
    properties.put("poll.interval.ms", "20");
    properties.put("max.batch.size", "1"); // as Connect may cut its batches anywhere
    properties.put("max.queue.size", "2");
    properties.put("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    properties.put("offset.storage.file.filename", dir.resolve("offsets").toString());
    properties.put("offset.flush.interval.ms", "0");
    properties.put("schema.history.internal.file.filename", dir.resolve("history").toString());
    properties.putAll(more);
    connector = ConnectorProcess.start(source.classPath(), properties, dir);
  }

  private int nextFence() {
    return started * 1_000 + ++lastFence;
  }

  private void awaitFence() throws Exception {
    int fence = nextFence();
    execute("INSERT INTO shop.fences VALUES (" + fence + ")");
    fences.await(
        "fence " + fence, value -> value.contains("{\"id\":" + fence + "}"), connector, () -> {});
  }

  /** What was sent of orders since the last time: change and key. */
  private List<String> sent() {
    List<String> all =
        RawLog.read(ReplayKafka.bootstrapServers(), List.of(prefix + ".shop.orders"))
            .events()
            .stream()
            .map(LostOnRestartTest::line)
            .toList();
    List<String> since = all.subList(lines.size(), all.size());
    lines.addAll(since);
    return since;
  }

  private static String line(RawEvent event) {
    return payload(event.value()).path("op").asText("-")
        + " "
        + payload(event.key()).path("id").asText();
  }

  private static JsonNode payload(byte[] json) {
    try {
      return new ObjectMapper().readTree(json == null ? new byte[0] : json).path("payload");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Its GTID. */
  private static String transaction(String... statements) throws SQLException {
    try (Connection session = source.connect();
        Statement sql = session.createStatement()) {
      session.setAutoCommit(false);
      for (String statement : statements) {
        sql.execute(statement);
      }
      session.commit();
      try (ResultSet position = sql.executeQuery("SELECT @@gtid_binlog_pos")) {
        position.next();
        return position.getString(1);
      }
    }
  }

  private static void execute(String statement) throws SQLException {
    try (Connection session = source.connect();
        Statement sql = session.createStatement()) {
      sql.execute(statement);
    }
  }
}
