package io.tidemark.oracle;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * The fold of a log that is too long to keep: for each key the version that stands and a
 * fingerprint of each column. Values are not kept.
 */
public final class KeyFold {

  /** Stands, among the columns, for those that the log has and the table has not. */
  private static final String UNKNOWN_COLUMN = "(a column that the table lacks)";

  private final Schema schema;
  private final List<String> keyNames;
  private final List<Types.NestedField> columns;
  private final Fingerprints fingerprints = new Fingerprints();
  private final Map<List<Object>, KeyState> keys = new HashMap<>();
  private final Map<List<Object>, List<Fingerprinted>> aside = new HashMap<>();

  /**
   * A change without its values.
   *
   * @param prints of the row's columns; null for a delete
   * @param time fingerprint of its source time
   * @param unsent by column whether the source left it out; null for none
   */
  @SuppressWarnings("ArrayRecordComponent") // passed through, never compared
  private record Fingerprinted(
      OracleChange change, long @Nullable [] prints, long time, boolean @Nullable [] unsent) {}

  /**
   * An empty fold.
   *
   * @param schema of the rows that it is compared with
   * @param keyNames columns of the primary key
   */
  public KeyFold(Schema schema, Iterable<String> keyNames) {
    this.schema = schema;
    this.keyNames = new ArrayList<>();
    keyNames.forEach(this.keyNames::add);
    Collections.sort(this.keyNames);
    this.columns =
        schema.columns().stream()
            .filter(c -> !TableCheck.ADDED_COLUMNS.contains(c.name()))
            .toList();
  }

  /** Takes a change, in any order. */
  public void add(OracleChange change) {
    add(key(TableCheck.fit(schema, change.key())), fingerprinted(change));
  }

  private void add(List<Object> key, Fingerprinted next) {
    KeyState state = keys.get(key);
    if (state == null) {
      keys.put(
          key, new KeyState(next.change, next.prints, next.time, next.unsent, columns.size() + 1));
    } else {
      state.join(next.change, next.prints, next.time, next.unsent);
    }
  }

  private Fingerprinted fingerprinted(OracleChange change) {
    return new Fingerprinted(
        change.withoutValues(),
        change.row() == null ? null : prints(change),
        fingerprints.of(change.sourceTime()),
        unsent(change));
  }

  /** Takes a change whose record was put aside: the table may have it by now, or not. */
  public void addAside(OracleChange change) {
    aside
        .computeIfAbsent(key(TableCheck.fit(schema, change.key())), unseen -> new ArrayList<>())
        .add(fingerprinted(change));
  }

  /**
   * A key as a table may show it: what was put aside has come back as far as the table's own
   * version goes, where the rest of the log does not explain it alone.
   *
   * @param shown the version that the table shows
   * @return null if nothing says anything of the key
   */
  @Nullable KeyState shownAt(
      List<Object> key, OracleVersion shown, Predicate<KeyState> isExplained) {
    KeyState state = keys.get(key);
    List<Fingerprinted> changes = aside.get(key);
    if (changes == null || (state != null && isExplained.test(state))) {
      return state;
    }
    for (Fingerprinted each : changes) {
      if (each.change.version().compareTo(shown) <= 0) {
        add(key, each);
      }
    }
    return keys.get(key);
  }

  /** The changes that were put aside and that the table does not show, nor anything newer. */
  List<Place> leftAside() {
    List<Place> left = new ArrayList<>();
    aside.forEach(
        (key, changes) -> {
          KeyState state = keys.get(key);
          for (Fingerprinted each : changes) {
            if (state == null || each.change.version().compareTo(state.version()) > 0) {
              left.add(Place.of(each.change.event()));
            }
          }
        });
    return left;
  }

  /** How many keys it knows. */
  public int size() {
    return keys.size();
  }

  @Nullable KeyState get(List<Object> key) {
    return keys.get(key);
  }

  void forEach(BiConsumer<List<Object>, KeyState> action) {
    keys.forEach(action);
  }

  /** The key's values in the order of the names. */
  List<Object> key(Map<String, ? extends @Nullable Object> row) {
    List<Object> key = new ArrayList<>(keyNames.size());
    for (String name : keyNames) {
      Object value = row.get(name);
      key.add(value == null ? "null" : value);
    }
    return key.size() == 1 ? List.of(key.get(0)) : List.copyOf(key);
  }

  /** A key for people. */
  String text(List<Object> key) {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      parts.add(keyNames.get(i) + "=" + key.get(i));
    }
    return String.join(", ", parts);
  }

  /**
   * Names of the columns in which a row of the table differs from what the log says. A column that
   * a record told which the log may have lost is not compared, nor the time of another version.
   *
   * @param shown the row's version
   */
  List<String> differences(
      KeyState expected, OracleVersion shown, Map<String, @Nullable Object> row, LogExtent log) {
    List<String> names = new ArrayList<>();
    long[] prints = expected.prints();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).name();
      if (prints[i] != fingerprints.of(row.get(name))
          && !isToldByLost(name, expected.decided(i), row, log)) {
        names.add(name);
      }
    }
    if (prints[columns.size()] != 0) {
      names.add(UNKNOWN_COLUMN);
    }
    if (expected.allows(shown)
        && expected.time(shown) != fingerprints.of(row.get(TableCheck.TIME_COLUMN))) {
      names.add(TableCheck.TIME_COLUMN);
    }
    return names;
  }

  private static boolean isToldByLost(
      String column, OracleVersion decided, Map<String, @Nullable Object> row, LogExtent log) {
    if (!(row.get(TableCheck.KEPT_COLUMN) instanceof Map<?, ?> kept)
        || !(kept.get(column) instanceof String told)
        || told.startsWith("?")) {
      return false;
    }
    OracleVersion shown = OracleVersion.parse(told);
    return shown.compareTo(decided) > 0 && log.mayHaveLost(shown);
  }

  /** By column whether the source left it out; null for none. */
  private boolean @Nullable [] unsent(OracleChange change) {
    if (change.unsent().isEmpty()) {
      return null;
    }
    boolean[] unsent = new boolean[columns.size() + 1];
    for (int i = 0; i < columns.size(); i++) {
      unsent[i] = change.unsent().contains(columns.get(i).name());
    }
    return unsent;
  }

  private long[] prints(OracleChange change) {
    Map<String, @Nullable Object> row = change.row() == null ? Map.of() : change.row();
    long[] prints = new long[columns.size() + 1];
    for (int i = 0; i < columns.size(); i++) {
      Types.NestedField column = columns.get(i);
      prints[i] = fingerprints.of(IcebergValues.fit(column.type(), row.get(column.name())));
    }
    row.forEach(
        (name, value) -> {
          if (value != null && schema.findField(name) == null) {
            prints[columns.size()]++;
          }
        });
    return prints;
  }
}
