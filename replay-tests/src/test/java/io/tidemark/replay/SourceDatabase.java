package io.tidemark.replay;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A database server with a Debezium connector, as far as they differ. */
interface SourceDatabase extends AutoCloseable {

  /** For messages and names of topics: letters and digits. */
  String name();

  Connection connect() throws SQLException;

  /**
   * What creates a table {@code shop.orders} with id, name, n, amount and at, and with long_text,
   * doc (JSON) and data (bytes), which hold large values.
   */
  String createOrders();

  /** Bytes as a literal. */
  String bytes(String hex);

  /** Chooses whether updates and deletes log the whole old row, if that can be chosen at all. */
  void logOldRows(Connection connection, boolean whole) throws SQLException;

  /**
   * From now on compresses large changes in the log, event by event.
   *
   * @return whether it can
   */
  boolean compressLog(Connection connection) throws SQLException;

  /** What {@link LogFacts} must have counted of a run for it to prove anything. */
  Set<String> contained();

  /** The connector's settings, but for its topics and files. */
  Properties connector();

  /** Class path of the connector. */
  String classPath();

  /** Makes the next change go to a new file of the log. */
  void rotateLog(Connection connection) throws SQLException;

  /** The transactions that have written and are open. */
  Set<String> writing(Connection connection) throws SQLException;

  /**
   * Makes a new server with the rows of {@code shop.orders}, as from a dump, and with nothing else.
   * Its positions start over.
   *
   * @return null if there can be none
   */
  @Nullable SourceDatabase restored(Path dir, Connection from) throws Exception;

  /** Inserts rows in the database's own fast way. */
  void bulkInsert(Connection connection, long firstId, int count) throws Exception;

  /** The only column of what a query finds. */
  static Set<String> texts(Connection connection, String query) throws SQLException {
    Set<String> texts = new TreeSet<>();
    try (Statement sql = connection.createStatement();
        ResultSet found = sql.executeQuery(query)) {
      while (found.next()) {
        texts.add(found.getString(1));
      }
    }
    return texts;
  }

  @Override
  void close();
}
