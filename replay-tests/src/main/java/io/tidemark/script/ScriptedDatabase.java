package io.tidemark.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * As much of a PostgreSQL as its log shows: transactions that run side by side, lock the keys they
 * touch, and appear in the log in the order of their commits while their events keep the positions
 * at which they were written.
 */
final class ScriptedDatabase {

  private static final String NEW_KEY = "__debezium.newkey";
  private static final String OLD_KEY = "__debezium.oldkey";

  private final Random random;
  private final ScriptOptions options;
  private final TreeMap<Long, ScriptedRow> rows = new TreeMap<>();
  private final Set<Long> locked = new HashSet<>();
  private final List<Long> everUsed = new ArrayList<>();
  private long lastId;
  private long lsn = 20_000_000;

  ScriptedDatabase(Random random, ScriptOptions options) {
    this.random = random;
    this.options = options;
  }

  /** A transaction that has not ended. */
  final class Transaction {
    private final Map<Long, @Nullable ScriptedRow> seen = new HashMap<>();
    private final List<ScriptedEvent> events = new ArrayList<>();
    private final long id = advance();

    long id() {
      return id;
    }

    /** Ends it and returns its events in order. */
    List<ScriptedEvent> commit() {
      seen.forEach(
          (key, row) -> {
            if (row == null) {
              rows.remove(key);
            } else {
              rows.put(key, row);
            }
          });
      locked.removeAll(seen.keySet());
      return events;
    }

    void rollBack() {
      locked.removeAll(seen.keySet());
    }

    /** Runs one statement of a random kind. */
    void statement() {
      int kind = random.nextInt(100);
      Long key = kind < 25 ? null : anyLive();
      if (key == null) {
        insert(unused(), ScriptedRow.random(random));
      } else if (kind < 65) {
        update(key);
      } else if (kind < 80) {
        delete(key, Map.of());
      } else if (kind < 88) {
        delete(key, Map.of());
        insert(key, ScriptedRow.random(random));
      } else {
        Long target = unused();
        changeKey(key, target);
        if (random.nextInt(4) == 0) {
          changeKey(target, key);
        }
      }
    }

    private void insert(long key, ScriptedRow row) {
      write("c", key, row, next(), Map.of(), Set.of());
    }

    private void update(long key) {
      ScriptedRow row = live(key);
      for (int i = random.nextInt(3); i >= 0; i--) {
        ScriptedRow before = row;
        row = random.nextInt(10) == 0 ? row : row.changed(random);
        write("u", key, row, next(), Map.of(), unsent(before, row));
      }
    }

    private void delete(long key, Map<String, String> headers) {
      write("d", key, null, next(), headers, Set.of());
    }

    private void changeKey(long from, long to) {
      ScriptedRow row = live(from);
      delete(from, Map.of(NEW_KEY, "{\"id\":" + to + "}"));
      Set<String> unsent = options.unsent().inserts() ? unsent(row, row) : Set.of();
      write("c", to, row, lsn, Map.of(OLD_KEY, "{\"id\":" + from + "}"), unsent);
    }

    /** Texts that are as they were may be stored apart from the row, and are not read then. */
    private Set<String> unsent(ScriptedRow before, ScriptedRow after) {
      Set<String> unsent = new TreeSet<>();
      if (options.unsent().share() > 0) {
        if (after.name() != null && after.name().equals(before.name()) && isUnsent()) {
          unsent.add("name");
        }
        if (after.region().equals(before.region()) && isUnsent()) {
          unsent.add("region");
        }
      }
      return unsent;
    }

    private boolean isUnsent() {
      return random.nextDouble() < options.unsent().share();
    }

    private void write(
        String op,
        long key,
        @Nullable ScriptedRow row,
        long at,
        Map<String, String> headers,
        Set<String> unsent) {
      locked.add(key);
      seen.put(key, row);
      events.add(new ScriptedEvent(op, key, row, at, headers, unsent));
    }

    private long next() {
      return !events.isEmpty() && random.nextDouble() < options.ties()
          ? events.get(events.size() - 1).lsn()
          : advance();
    }

    private ScriptedRow live(long key) {
      ScriptedRow row = seen.containsKey(key) ? seen.get(key) : rows.get(key);
      if (row == null) {
        throw new IllegalStateException("No row " + key);
      }
      return row;
    }

    private @Nullable Long anyLive() {
      List<Long> candidates = new ArrayList<>();
      rows.keySet().stream().filter(key -> !locked.contains(key)).forEach(candidates::add);
      seen.forEach(
          (key, row) -> {
            if (row != null) {
              candidates.add(key);
            }
          });
      return candidates.isEmpty() ? null : candidates.get(random.nextInt(candidates.size()));
    }

    /** A key without a row: often one that had a row before. */
    private long unused() {
      for (int i = 0; i < 3 && !everUsed.isEmpty(); i++) {
        long key = everUsed.get(random.nextInt(everUsed.size()));
        boolean free =
            seen.containsKey(key)
                ? seen.get(key) == null
                : !locked.contains(key) && !rows.containsKey(key);
        if (free) {
          return key;
        }
      }
      return newKey();
    }
  }

  Transaction begin() {
    return new Transaction();
  }

  /** A row that was there before the log began. */
  void load() {
    rows.put(newKey(), ScriptedRow.random(random));
  }

  /** The committed rows. */
  TreeMap<Long, ScriptedRow> rows() {
    return rows;
  }

  /** Moves the position on, as any write does. */
  long advance() {
    lsn += 8 * (1 + random.nextInt(20));
    return lsn;
  }

  private long newKey() {
    everUsed.add(++lastId);
    return lastId;
  }
}
