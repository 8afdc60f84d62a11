package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.Settings;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows of PostgreSQL exchange their keys in one statement, as a deferrable primary key lets them,
 * and the job stops there; as the message says, it goes on, and a later change of the rows puts the
 * table right.
 */
class ExchangedKeysTest {

  @TempDir private Path dir;

  @Test
  void anExchangeStopsTheJobUntilItIsToldToGoOn() throws Exception {
    try (Stack stack = Stack.start(StackSettings.named("t"), dir)) {
      sql(
          stack,
          "ALTER TABLE shop.orders DROP CONSTRAINT orders_pkey,"
              + " ADD PRIMARY KEY (id) DEFERRABLE, REPLICA IDENTITY FULL",
          "INSERT INTO shop.orders (id, customer) VALUES (1, 'a'), (2, 'b'), (3, 'c')");
      DebeziumRelay relay = stack.startRelay();
      relay.awaitShipped(Duration.ofSeconds(60)); // what follows is streamed
      // A row that moves twice, and a key that is free when it is taken, are no exchange.
      sql(
          stack,
          "BEGIN; UPDATE shop.orders SET id = 9 WHERE id = 3;"
              + " UPDATE shop.orders SET id = 3 WHERE id = 9; COMMIT");
      sql(stack, "UPDATE shop.orders SET id = 3 - id WHERE id < 3");
      relay.awaitShipped(Duration.ofSeconds(60));

      assertThatThrownBy(() -> run(stack, "full"))
          .hasStackTraceContaining("BadEventException: topic t.shop.orders, partition ")
          .hasStackTraceContaining("rows exchanged their keys");

      sql(stack, "UPDATE shop.orders SET qty = 7");
      relay.awaitShipped(Duration.ofSeconds(60));
      assertThat(run(stack, "key")).isEqualTo(Map.of(1L, "b", 2L, "a", 3L, "c"));
    }
  }

  private static void sql(Stack stack, String... statements) throws SQLException {
    try (Connection connection = stack.postgres().connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** What the table holds after all that is in Kafka. */
  private static Map<Long, String> run(Stack stack, String before) throws Exception {
    Settings settings =
        Settings.parse(
            Files.readString(stack.configFile())
                + "routes: [{topics: '.*', before: %s}]\n".formatted(before),
            Map.of());
    try (LocalJob job = LocalJob.start(settings, RunOptions.catchUp())) {
      job.await();
    }
    Map<Long, String> rows = new TreeMap<>();
    try (TableReader reader = TableReader.open(settings.catalog(), "shop.orders")) {
      reader.read(
          RowQuery.ALL,
          row -> rows.put((Long) row.getField("id"), (String) row.getField("customer")));
    }
    return rows;
  }
}
