package io.tidemark.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** A PostgreSQL server of its own, with logical decoding on and durability off. */
public final class EmbeddedPostgres implements AutoCloseable {

  private static final String USER = "postgres";
  private static final String DATABASE = "postgres";

  private final io.zonky.test.db.postgres.embedded.EmbeddedPostgres server;

  private EmbeddedPostgres(io.zonky.test.db.postgres.embedded.EmbeddedPostgres server) {
    this.server = server;
  }

  /**
   * Starts a server on a free port.
   *
   * @param dataDir where its files go; created if absent, and left behind on close
   * @throws UncheckedIOException if it does not come up
   */
  public static EmbeddedPostgres start(Path dataDir) {
    try {
      return new EmbeddedPostgres(
          io.zonky.test.db.postgres.embedded.EmbeddedPostgres.builder()
              .setDataDirectory(dataDir)
              .setCleanDataDirectory(false)
              .setPort(Ports.free())
              // Whoever starts the server stops it, after those that are connected to it.
              .setRegisterShutdownHook(false)
              .setPGStartupWait(Duration.ofSeconds(60))
              .setErrorRedirector(ProcessBuilder.Redirect.DISCARD)
              .setOutputRedirector(ProcessBuilder.Redirect.DISCARD)
              .setServerConfig("wal_level", "logical")
              .setServerConfig("fsync", "off")
              .setServerConfig("full_page_writes", "off")
              // Commits are decoded when the WAL writer has flushed them, so it may not linger.
              .setServerConfig("synchronous_commit", "off")
              .setServerConfig("wal_writer_delay", "10ms")
              .start());
    } catch (IOException | RuntimeException e) {
      throw new UncheckedIOException(
          "PostgreSQL did not start in " + dataDir + ": " + e.getMessage(),
          e instanceof IOException io ? io : new IOException(e));
    }
  }

  /** The port on localhost. */
  public int port() {
    return server.getPort();
  }

  /** The user that owns the database; connections from this machine need no password. */
  public String user() {
    return USER;
  }

  /** The database that everything happens in. */
  public String database() {
    return DATABASE;
  }

  /** The address for JDBC, with the user in it. */
  public String jdbcUrl() {
    return "jdbc:postgresql://localhost:" + port() + "/" + DATABASE + "?user=" + USER;
  }

  /** The command that opens a prompt. */
  public String psqlCommand() {
    return "psql -h localhost -p " + port() + " -U " + USER + " " + DATABASE;
  }

  /** A new connection, which the caller closes. */
  public Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl());
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("PostgreSQL did not stop", e);
    }
  }
}
