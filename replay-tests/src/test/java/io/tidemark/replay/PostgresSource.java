package io.tidemark.replay;

import io.tidemark.sandbox.EmbeddedPostgres;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import org.postgresql.PGConnection;

/** PostgreSQL. */
record PostgresSource(EmbeddedPostgres server) implements SourceDatabase {

  static PostgresSource start(Path dir) {
    return new PostgresSource(EmbeddedPostgres.start(dir.resolve("postgres")));
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public Connection connect() throws SQLException {
    return server.connect();
  }

  @Override
  public String createOrders() {
    // Large values lie apart from their row, as they are; updates of the rest do not send them.
    return "CREATE TABLE shop.orders (id bigint PRIMARY KEY, name varchar(50), n int,"
        + " amount numeric(10, 2), at timestamp(6), long_text text, doc jsonb, data bytea);"
        + " ALTER TABLE shop.orders ALTER COLUMN long_text SET STORAGE EXTERNAL,"
        + " ALTER COLUMN doc SET STORAGE EXTERNAL, ALTER COLUMN data SET STORAGE EXTERNAL";
  }

  @Override
  public String bytes(String hex) {
    return "'\\x" + hex + "'";
  }

  @Override
  public void logOldRows(Connection connection, boolean whole) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute("ALTER TABLE shop.orders REPLICA IDENTITY " + (whole ? "FULL" : "DEFAULT"));
    }
  }

  @Override
  public boolean compressLog(Connection connection) {
    return false;
  }

  @Override
  public Set<String> contained() {
    return Set.of(
        DatabaseRun.INITIAL,
        DatabaseRun.BY_SIGNAL,
        DatabaseRun.BLOCKING,
        DatabaseRun.READ_ONLY,
        DatabaseRun.SECOND,
        DatabaseRun.OPEN,
        DatabaseRun.RESTORED,
        DatabaseRun.EPOCHS,
        LogFacts.AGAIN,
        LogFacts.FILES,
        LogFacts.COPIED,
        LogFacts.BELOW_SNAPSHOT,
        LogFacts.BELOW_CHUNK,
        LogFacts.LEFT_OUT,
        LogFacts.LEFT_BEHIND,
        OrdersComparison.KEPT,
        OrdersComparison.UNKNOWN);
  }

  @Override
  public Properties connector() {
    Properties properties = new Properties();
    properties.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    properties.put("plugin.name", "pgoutput");
    properties.put("database.port", String.valueOf(server.port()));
    properties.put("database.user", server.user());
    properties.put("database.password", "");
    properties.put("database.dbname", server.database());
    properties.put("slot.name", "run");
    properties.put("publication.autocreate.mode", "filtered");
    return properties;
  }

  @Override
  public String classPath() {
    return System.getProperty("java.class.path");
  }

  @Override
  public void rotateLog(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute("SELECT pg_switch_wal()");
    }
  }

  @Override
  public Set<String> writing(Connection connection) throws SQLException {
    return SourceDatabase.texts(
        connection, "SELECT backend_xid::text FROM pg_stat_activity WHERE backend_xid IS NOT NULL");
  }

  @Override
  public SourceDatabase restored(Path dir, Connection from) throws Exception {
    PostgresSource restored = start(dir);
    ByteArrayOutputStream rows = new ByteArrayOutputStream();
    from.unwrap(PGConnection.class).getCopyAPI().copyOut("COPY shop.orders TO STDOUT", rows);
    try (Connection to = restored.connect();
        Statement sql = to.createStatement()) {
      sql.execute("CREATE SCHEMA shop;" + createOrders());
      to.unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn("COPY shop.orders FROM STDIN", new ByteArrayInputStream(rows.toByteArray()));
    }
    return restored;
  }

  @Override
  public void bulkInsert(Connection connection, long firstId, int count) throws Exception {
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < count; i++) {
      rows.append(firstId + i)
          .append("\tcopied\t")
          .append(i)
          .append("\t1.50\t\\N\t\\N\t\\N\t\\N\n");
    }
    connection
        .unwrap(PGConnection.class)
        .getCopyAPI()
        .copyIn("COPY shop.orders FROM STDIN", new StringReader(rows.toString()));
  }

  @Override
  public void close() {
    server.close();
  }
}
