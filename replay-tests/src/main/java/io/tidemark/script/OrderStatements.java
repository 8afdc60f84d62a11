package io.tidemark.script;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statements of a script on one connection, which it owns. Transactions are explicit. */
final class OrderStatements implements AutoCloseable {

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement replace;
  private final PreparedStatement updateAmount;
  private final PreparedStatement updateStatus;
  private final PreparedStatement changeKey;
  private final PreparedStatement delete;

  OrderStatements(Connection connection) throws SQLException {
    this.connection = connection;
    connection.setAutoCommit(false);
    List<String> columns = OrdersTable.COLUMNS;
    insert =
        connection.prepareStatement(
            "INSERT INTO shop.orders VALUES (" + "?, ".repeat(columns.size() - 1) + "?::jsonb)");
    replace =
        connection.prepareStatement(
            "UPDATE shop.orders SET ("
                + String.join(", ", columns.subList(1, columns.size()))
                + ") = ROW("
                + "?, ".repeat(columns.size() - 2)
                + "?::jsonb) WHERE id = ?");
    updateAmount =
        connection.prepareStatement("UPDATE shop.orders SET amount = ?, note = ? WHERE id = ?");
    updateStatus =
        connection.prepareStatement(
            "UPDATE shop.orders SET status = ?, updated_at = ? WHERE id = ANY(?)");
    changeKey = connection.prepareStatement("UPDATE shop.orders SET id = ? WHERE id = ?");
    delete = connection.prepareStatement("DELETE FROM shop.orders WHERE id = ?");
  }

  void insert(long id, @Nullable Object[] values) throws SQLException {
    bindInsert(id, values);
    execute(insert, 1);
  }

  /** Inserts later, with {@link #insertBatch}. */
  void addToBatch(long id, @Nullable Object[] values) throws SQLException {
    bindInsert(id, values);
    insert.addBatch();
  }

  void insertBatch() throws SQLException {
    insert.executeBatch();
  }

  void replace(long id, @Nullable Object[] values) throws SQLException {
    bind(replace, 1, values);
    replace.setLong(values.length + 1, id);
    execute(replace, 1);
  }

  void updateAmount(long id, @Nullable BigDecimal amount, @Nullable String note)
      throws SQLException {
    updateAmount.setBigDecimal(1, amount);
    updateAmount.setString(2, note);
    updateAmount.setLong(3, id);
    execute(updateAmount, 1);
  }

  void updateStatus(List<Long> ids, String status, @Nullable OffsetDateTime updatedAt)
      throws SQLException {
    updateStatus.setString(1, status);
    updateStatus.setObject(2, updatedAt);
    updateStatus.setArray(3, connection.createArrayOf("bigint", ids.toArray()));
    execute(updateStatus, ids.size());
  }

  void changeKey(long from, long to) throws SQLException {
    changeKey.setLong(1, to);
    changeKey.setLong(2, from);
    execute(changeKey, 1);
  }

  void delete(long id) throws SQLException {
    delete.setLong(1, id);
    execute(delete, 1);
  }

  void commit() throws SQLException {
    connection.commit();
  }

  void rollback() throws SQLException {
    connection.rollback();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private void bindInsert(long id, @Nullable Object[] values) throws SQLException {
    insert.setLong(1, id);
    bind(insert, 2, values);
  }

  private void bind(PreparedStatement statement, int first, @Nullable Object[] values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      Object value = values[i];
      if (value instanceof String[] array) {
        statement.setArray(first + i, connection.createArrayOf("text", array));
      } else {
        statement.setObject(first + i, value);
      }
    }
  }

  /** What the script counts must be what the connector will see. */
  private static void execute(PreparedStatement statement, int expectedRows) throws SQLException {
    int rows = statement.executeUpdate();
    if (rows != expectedRows) {
      throw new IllegalStateException(
          "Expected to change " + expectedRows + " rows, changed " + rows + ": " + statement);
    }
  }
}
