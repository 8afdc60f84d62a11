package io.tidemark.replay;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.merge.Winner;
import io.tidemark.oracle.OracleRow;
import io.tidemark.oracle.OracleTable;
import io.tidemark.oracle.OracleVersion;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What an Iceberg table and its tombstones would hold: rows by the place where they lie. */
final class ModelTable {
  private final Map<PrimaryKey, Map<String, Winner>> rows = new HashMap<>();
  private final Map<PrimaryKey, CommitVersion> tombstones = new HashMap<>();
  private final Map<PrimaryKey, Map<String, Object>> names = new HashMap<>();
  private final Map<PrimaryKey, CommitVersion> highest = new HashMap<>();

  /** Says how the oracle names a key. */
  void names(PrimaryKey key, Map<String, Object> name) {
    if (name == null) {
      throw new AssertionError("The oracle has no change where the decoder has one of " + key);
    }
    names.put(key, name);
  }

  /** Commits a winner. */
  void take(Winner winner, RowView view) {
    Change change = winner.change();
    CommitVersion before = highest.put(change.key(), change.version());
    if (before != null && before.compareTo(change.version()) > 0) {
      throw new AssertionError("I4, I5: " + names.get(change.key()) + " went back");
    }
    Map<String, Winner> places = rows.computeIfAbsent(change.key(), key -> new HashMap<>());
    Mark replaced = winner.replaced();
    if (replaced != null) {
      places.remove(RowView.text(replaced.partitionValues()));
    }
    if (change.kind() == Kind.DELETE) {
      tombstones.put(change.key(), change.version());
    } else {
      Winner other = places.put(view.place(change), winner);
      if (other != null || places.size() > 1) {
        throw new AssertionError("I3: " + names.get(change.key()) + " has two live rows");
      }
    }
  }

  /** As a start without state reads them: the content of a row is not known. */
  Map<PrimaryKey, Mark> marks(RowView view) {
    Map<PrimaryKey, Mark> marks = new HashMap<>();
    tombstones.forEach((key, version) -> marks.put(key, Mark.deleted(version, Mark.NEVER)));
    rows.forEach(
        (key, places) ->
            places
                .values()
                .forEach(
                    row ->
                        marks.merge(
                            key,
                            new Mark(
                                row.change().version(),
                                Kind.UPSERT,
                                Change.UNKNOWN_CONTENT,
                                view.placement(row.change().row()),
                                row.kept()),
                            (a, b) -> a.version().compareTo(b.version()) >= 0 ? a : b)));
    return marks;
  }

  /** The rows that it has. */
  Map<PrimaryKey, Winner> live() {
    Map<PrimaryKey, Winner> live = new HashMap<>();
    rows.forEach((key, places) -> places.values().forEach(row -> live.put(key, row)));
    return live;
  }

  /**
   * Compares it with the oracle.
   *
   * @param inOrder whether each partition was read in Kafka's order
   */
  void compare(OracleTable expected, RowView view, boolean inOrder) {
    Map<Map<String, Object>, OracleRow> missing = new HashMap<>(expected.live());
    rows.forEach(
        (key, places) ->
            places
                .values()
                .forEach(
                    row -> {
                      OracleRow wanted = missing.remove(names.get(key));
                      if (wanted == null) {
                        throw new AssertionError("I1, I2: " + names.get(key) + " is too much");
                      }
                      same(wanted, row, view, inOrder);
                    }));
    if (!missing.isEmpty()) {
      throw new AssertionError("I1, I2: missing " + missing.keySet());
    }
    Map<Map<String, Object>, CommitVersion> buried = new HashMap<>();
    tombstones.forEach((key, version) -> buried.put(names.get(key), version));
    expected
        .deleted()
        .forEach(
            (key, row) -> {
              CommitVersion version = buried.get(key);
              if (version == null || !allows(row, version, inOrder)) {
                throw new AssertionError("I5: " + key + " has the tombstone " + version);
              }
            });
  }

  private static boolean allows(OracleRow wanted, CommitVersion version, boolean inOrder) {
    OracleVersion shown = OracleVersion.parse(version.toText());
    return inOrder ? wanted.allows(shown) : wanted.version().ties(shown);
  }

  private static void same(OracleRow wanted, Winner row, RowView view, boolean inOrder) {
    Map<String, Object> content = view.content(row.change().row());
    if (!allows(wanted, row.change().version(), inOrder)
        || !wanted.kept().keySet().equals(row.kept().keySet())
        || !Objects.requireNonNull(wanted.row()).entrySet().containsAll(content.entrySet())) {
      throw new AssertionError(
          "I1, I2: expected "
              + wanted
              + ", is "
              + row.change().version().toText()
              + " "
              + content
              + " with "
              + row.kept());
    }
  }
}
