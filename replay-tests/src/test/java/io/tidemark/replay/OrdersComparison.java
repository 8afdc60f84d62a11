package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oracle.Epochs;
import java.io.IOException;
import java.nio.ByteBuffer;
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
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ByteBuffers;

/** Compares a table with {@code SELECT *} of {@code shop.orders}, in each column of each row. */
final class OrdersComparison {

  static final String KEPT = "values that an update left out, in the table";
  static final String UNKNOWN = "values that a changed key left behind, null in the table";

  private static final int HISTORIES = 10;
  private static final List<String> COLUMNS =
      List.of("id", "name", "n", "amount", "at", "long_text", "doc", "data");

  private long kept;
  private long unknown;

  /** How many values of all rows compared were told by an older change than the row's. */
  long kept() {
    return kept;
  }

  /** How many values of all rows compared no change told. */
  long unknown() {
    return unknown;
  }

  /**
   * Fails with the rows that differ, with what the log holds of the first of them, and with whether
   * the table is the fold of the log, in which case the source lost them.
   */
  void requireSame(String when, Connection database, ReplayJob job, Epochs epochs)
      throws SQLException, IOException {
    TreeMap<Long, List<String>> expected = selectAll(database);
    assertThat(expected).hasSizeGreaterThan(20);
    TreeMap<Long, List<String>> found = rows(job.table(), expected);
    TreeSet<Long> different = new TreeSet<>(expected.keySet());
    different.addAll(found.keySet());
    different.removeIf(id -> Objects.equals(expected.get(id), found.get(id)));
    try {
      assertThat(different)
          .as(when)
          .extracting(id -> "database " + expected.get(id) + ", table " + found.get(id))
          .isEmpty();
    } catch (AssertionError e) {
      List<Long> first = different.stream().limit(HISTORIES).toList();
      throw new AssertionError(
          e.getMessage() + "\n" + fold(job, epochs) + "\n" + KeyHistory.of(job.log(), first), e);
    }
  }

  private static String fold(ReplayJob job, Epochs epochs) {
    try {
      return "the table is the fold of the log: " + job.invariants(epochs).caughtUp();
    } catch (AssertionError e) {
      return "the table is not the fold of the log: " + e.getMessage();
    }
  }

  private static TreeMap<Long, List<String>> selectAll(Connection database) throws SQLException {
    TreeMap<Long, List<String>> rows = new TreeMap<>();
    try (Statement sql = database.createStatement();
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
        rows.put(found.getLong("id"), row.stream().map(OrdersComparison::text).toList());
      }
    }
    return rows;
  }

  /**
   * The rows of the table; several of one key make one that no database has. A value that a changed
   * key left behind is only known to the database: where the table says so, it is taken from there.
   */
  private TreeMap<Long, List<String>> rows(Table table, Map<Long, List<String>> database)
      throws IOException {
    TreeMap<Long, List<String>> rows = new TreeMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
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
        rows.merge(id, row, OrdersComparison::both);
      }
    }
    return rows;
  }

  private static List<String> both(List<String> one, List<String> other) {
    return Stream.of(one, List.of("and once more"), other).flatMap(List::stream).toList();
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
}
