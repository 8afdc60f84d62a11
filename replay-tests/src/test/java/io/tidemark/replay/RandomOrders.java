package io.tidemark.replay;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random changes of {@code shop.orders} by several sessions whose transactions interleave. Each
 * session has ids of its own, so that none waits for another.
 */
final class RandomOrders implements AutoCloseable {

  static final List<String> LARGE = List.of("long_text", "doc", "data");

  private static final int SESSIONS = 4;

  private final SourceDatabase database;
  private final Random random;
  private final List<Connection> sessions = new ArrayList<>();
  private long nextId;

  RandomOrders(SourceDatabase database, Random random) throws SQLException {
    this(database, random, 1);
  }

  private RandomOrders(SourceDatabase database, Random random, long nextId) throws SQLException {
    this.nextId = nextId;
    this.database = database;
    this.random = random;
    for (int i = 0; i < SESSIONS; i++) {
      Connection session = database.connect();
      session.setAutoCommit(false);
      sessions.add(session);
    }
  }

  /** Goes on in another database that has the same rows. */
  RandomOrders on(SourceDatabase other) throws SQLException {
    return new RandomOrders(other, random, nextId);
  }

  /** Makes changes; the first session's transaction stays open all the while. */
  void change(int steps) throws Exception {
    for (int i = 0; i < steps; i++) {
      int session = random.nextInt(SESSIONS);
      step(session);
      if (session > 0 && random.nextInt(3) == 0) {
        end(session);
      }
      if (random.nextInt(60) == 0) {
        database.rotateLog(sessions.get(1 + random.nextInt(SESSIONS - 1)));
      }
    }
  }

  /** Leaves a transaction open in each session. */
  void openEach() throws SQLException {
    for (int session = 0; session < SESSIONS; session++) {
      execute(session, "UPDATE shop.orders SET n = n + 1 WHERE id % 8 = " + session);
    }
  }

  /** Ends the transaction that was open for longest. */
  void commitLongest() throws SQLException {
    sessions.get(0).commit();
  }

  /** Ends all transactions, the one that was open for long too. */
  void commitAll() throws SQLException {
    for (Connection session : sessions) {
      session.commit();
    }
  }

  private void end(int session) throws SQLException {
    if (random.nextInt(8) == 0) {
      sessions.get(session).rollback();
    } else {
      sessions.get(session).commit();
    }
  }

  private void step(int session) throws Exception {
    long id = known(session);
    switch (random.nextInt(12)) {
      case 0, 1, 2 -> insert(session, fresh(session));
      case 3, 4 -> execute(session, "UPDATE shop.orders SET n = n + 1 WHERE id = " + id);
      case 5 -> several(session, id);
      case 6 -> execute(session, "DELETE FROM shop.orders WHERE id = " + id);
      case 7 -> {
        execute(session, "DELETE FROM shop.orders WHERE id = " + id);
        insert(session, id);
      }
      case 8 ->
          execute(session, "UPDATE shop.orders SET id = " + fresh(session) + " WHERE id = " + id);
      case 9, 10 -> changeLarge(session, id);
      default -> swap(session, id, known(session));
    }
  }

  /**
   * Many rows in one statement, and the last of them once more: where a transaction has but one
   * position they come later and are counted from a lower number.
   */
  private void several(int session, long id) throws SQLException {
    String rows = " WHERE id %% 4 = " + session + " AND id BETWEEN %d AND " + (id + 80);
    execute(
        session,
        ("UPDATE shop.orders SET name = 'é 😀', amount = -amount, at = NULL" + rows).formatted(id));
    execute(session, ("UPDATE shop.orders SET n = n + 100" + rows).formatted(id + 40));
  }

  /** Two rows exchange their keys. */
  private void swap(int session, long a, long b) throws SQLException {
    if (a != b) {
      long aside = -1 - session;
      execute(session, "UPDATE shop.orders SET id = " + aside + " WHERE id = " + a);
      execute(session, "UPDATE shop.orders SET id = " + a + " WHERE id = " + b);
      execute(session, "UPDATE shop.orders SET id = " + b + " WHERE id = " + aside);
    }
  }

  private void insert(int session, long id) throws SQLException {
    execute(
        session,
        "INSERT INTO shop.orders VALUES (%d, 'row %d', %d, %d.%02d, '2024-02-29 13:14:15.%06d', %s, %s, %s)"
            .formatted(
                id,
                id,
                random.nextInt(100),
                random.nextInt(1_000),
                random.nextInt(100),
                random.nextInt(1_000_000),
                large(0),
                large(1),
                large(2)));
  }

  /** Updates one of the columns of large values and leaves the others alone. */
  private void changeLarge(int session, long id) throws SQLException {
    int column = random.nextInt(LARGE.size());
    execute(
        session,
        "UPDATE shop.orders SET %s = %s WHERE id = %d"
            .formatted(LARGE.get(column), large(column), id));
  }

  /** A value for one of {@link #LARGE}, or null; no two are alike. */
  private String large(int column) {
    int mark = random.nextInt(1_000_000_000);
    if (random.nextInt(3) == 0) {
      return "NULL";
    }
    return switch (column) {
      case 0 -> "'" + "x".repeat(3_000) + mark + "'";
      case 1 -> "'{\"k\": \"" + "j".repeat(3_000) + mark + "\"}'";
      default -> database.bytes("ab".repeat(3_000) + "%010d".formatted(mark));
    };
  }

  /** Many rows at once, in a transaction of their own. */
  void bulk(int count) throws Exception {
    Connection session = sessions.get(1);
    session.commit();
    long first = (nextId + 1) * SESSIONS;
    nextId += count + 2L;
    database.bulkInsert(session, first, count);
    session.commit();
  }

  private long fresh(int session) {
    return nextId++ * SESSIONS + session;
  }

  /** An id of the session's, which may be gone. */
  private long known(int session) {
    return random.nextLong(nextId) * SESSIONS + session;
  }

  private void execute(int session, String sql) throws SQLException {
    try (Statement statement = sessions.get(session).createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection session : sessions) {
      session.close();
    }
  }
}
