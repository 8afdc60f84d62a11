package io.tidemark.sandbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.iceberg.data.Record;
import org.jspecify.annotations.Nullable;

/**
 * The rows of {@code shop.orders} at one moment, each value as the text of its {@link OrderColumn}.
 *
 * @param byKey for each key the row's values in the order of {@link OrderColumn#ALL}, null for NULL
 * @param repeatedKeys keys that came more than once
 */
record OrderRows(NavigableMap<Long, List<@Nullable String>> byKey, List<Long> repeatedKeys) {

  /** PostgreSQL's own answer. */
  static OrderRows inPostgres(EmbeddedPostgres postgres) {
    Collector collector = new Collector();
    try (Connection connection = postgres.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(OrderColumn.query())) {
      while (result.next()) {
        List<@Nullable String> values = new ArrayList<>();
        for (int i = 1; i <= OrderColumn.ALL.size(); i++) {
          values.add(result.getString(i));
        }
        collector.add(values);
      }
    } catch (SQLException e) {
      throw new IllegalStateException("PostgreSQL did not answer: " + e.getMessage(), e);
    }
    return collector.rows();
  }

  /** From rows that Iceberg's generic reader gave. */
  static OrderRows of(Iterable<Record> records) {
    Collector collector = new Collector();
    for (Record record : records) {
      List<@Nullable String> values = new ArrayList<>();
      for (OrderColumn column : OrderColumn.ALL) {
        Object value = record.getField(column.name());
        values.add(value == null ? null : column.text().apply(value));
      }
      collector.add(values);
    }
    return collector.rows();
  }

  int size() {
    return byKey.size() + repeatedKeys.size();
  }

  private static final class Collector {

    private final NavigableMap<Long, List<@Nullable String>> byKey = new TreeMap<>();
    private final List<Long> repeatedKeys = new ArrayList<>();

    void add(List<@Nullable String> values) {
      String key = values.get(0);
      if (key == null) {
        throw new IllegalStateException("A row has no key: " + values);
      }
      if (byKey.put(Long.valueOf(key), values) != null) {
        repeatedKeys.add(Long.valueOf(key));
      }
    }

    OrderRows rows() {
      return new OrderRows(
          Collections.unmodifiableNavigableMap(byKey), Collections.unmodifiableList(repeatedKeys));
    }
  }
}
