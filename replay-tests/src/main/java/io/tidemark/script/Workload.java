package io.tidemark.script;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What many users do to {@code shop.orders}: the same for the same seed. The table must be changed
 * by nobody else. Not thread-safe.
 */
public final class Workload implements AutoCloseable {

  private static final int MIN_ROWS = 50;

  private final Random random;
  private final OrderValues values;
  private final Keys keys;
  private final OrderStatements one;
  private final OrderStatements other;

  /**
   * Opens its two connections.
   *
   * @param connections to a database in which {@link OrdersTable} exists and is empty
   */
  public Workload(Connections connections, long seed) throws SQLException {
    random = new Random(seed);
    values = new OrderValues(random);
    keys = new Keys(random);
    one = new OrderStatements(connections.connect());
    other = new OrderStatements(connections.connect());
  }

  /** Inserts rows, all in one transaction. */
  public void insertRows(int rows) throws SQLException {
    for (int i = 0; i < rows; i++) {
      long id = keys.unused();
      one.addToBatch(id, values.row());
      keys.live(id);
    }
    one.insertBatch();
    one.commit();
  }

  /**
   * Runs transactions until they have made a number of changes.
   *
   * @param changes at least so many; a changed key counts as two, a delete and an insert, and what
   *     is rolled back does not count
   * @return how many they were
   * @throws IllegalStateException if the thread is interrupted
   */
  public long run(long changes) throws SQLException {
    long made = 0;
    while (made < changes) {
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("Interrupted after " + made + " changes");
      }
      made += transaction();
    }
    return made;
  }

  /** How many rows the table has. */
  public int rows() {
    return keys.liveCount();
  }

  @Override
  public void close() throws SQLException {
    try (one;
        other) {
      one.rollback();
      other.rollback();
    }
  }

  private int transaction() throws SQLException {
    if (keys.liveCount() < MIN_ROWS) {
      insertRows(MIN_ROWS);
      return MIN_ROWS;
    }
    int dice = random.nextInt(100);
    if (dice < 20) {
      return inserts();
    } else if (dice < 50) {
      return update();
    } else if (dice < 60) {
      return severalUpdatesOfOneKey();
    } else if (dice < 64) {
      return updateOfManyRows();
    } else if (dice < 74) {
      return delete();
    } else if (dice < 80) {
      return deleteAndInsertAgain();
    } else if (dice < 86) {
      return keyChange();
    } else if (dice < 88) {
      return keyChangeAndBack();
    } else if (dice < 90) {
      return insertUpdateDelete();
    } else if (dice < 94) {
      return rolledBack();
    }
    return interleaved();
  }

  private int inserts() throws SQLException {
    int rows = 1 + random.nextInt(3);
    for (int i = 0; i < rows; i++) {
      long id = keys.unused();
      one.insert(id, values.row());
      keys.live(id);
    }
    one.commit();
    return rows;
  }

  private int update() throws SQLException {
    long id = keys.take();
    change(one, id);
    one.commit();
    keys.live(id);
    return 1;
  }

  private int severalUpdatesOfOneKey() throws SQLException {
    long id = keys.take();
    int updates = 2 + random.nextInt(3);
    for (int i = 0; i < updates; i++) {
      change(one, id);
    }
    one.commit();
    keys.live(id);
    return updates;
  }

  private int updateOfManyRows() throws SQLException {
    List<Long> ids = new ArrayList<>();
    int rows = 2 + random.nextInt(15);
    for (int i = 0; i < rows; i++) {
      ids.add(keys.take());
    }
    one.updateStatus(ids, values.status(), values.zonedTimestampOrNull());
    one.commit();
    ids.forEach(keys::live);
    return rows;
  }

  private int delete() throws SQLException {
    long id = keys.take();
    one.delete(id);
    one.commit();
    keys.dead(id);
    return 1;
  }

  private int deleteAndInsertAgain() throws SQLException {
    long id = keys.take();
    one.delete(id);
    one.insert(id, values.row());
    int changes = 2;
    if (random.nextBoolean()) {
      change(one, id);
      changes++;
    }
    one.commit();
    keys.live(id);
    return changes;
  }

  private int keyChange() throws SQLException {
    long from = keys.take();
    long to = keys.unused();
    one.changeKey(from, to);
    one.commit();
    keys.dead(from);
    keys.live(to);
    return 2;
  }

  private int keyChangeAndBack() throws SQLException {
    long from = keys.take();
    long to = keys.unused();
    one.changeKey(from, to);
    change(one, to);
    one.changeKey(to, from);
    one.commit();
    keys.live(from);
    keys.dead(to);
    return 5;
  }

  private int insertUpdateDelete() throws SQLException {
    long id = keys.unused();
    one.insert(id, values.row());
    change(one, id);
    one.delete(id);
    one.commit();
    keys.dead(id);
    return 3;
  }

  private int rolledBack() throws SQLException {
    long updated = keys.take();
    long deleted = keys.take();
    change(one, updated);
    one.delete(deleted);
    one.rollback();
    keys.live(updated);
    keys.live(deleted);
    return 0;
  }

  /** The transaction that writes first commits last: its changes come later, with lower LSNs. */
  private int interleaved() throws SQLException {
    long first = keys.take();
    long second = keys.take();
    long third = keys.take();
    change(one, first);
    change(other, second);
    change(one, third);
    other.delete(second);
    other.commit();
    change(one, first);
    one.commit();
    keys.live(first);
    keys.dead(second);
    keys.live(third);
    return 5;
  }

  private void change(OrderStatements statements, long id) throws SQLException {
    int dice = random.nextInt(4);
    if (dice == 0) {
      statements.replace(id, values.row());
    } else if (dice == 1) {
      statements.updateStatus(List.of(id), values.status(), values.zonedTimestampOrNull());
    } else {
      statements.updateAmount(id, values.amountOrNull(), values.noteOrNull());
    }
  }
}
