package io.tidemark.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * What a table held before a replay (I8): however low the replay begins, each later snapshot whose
 * record has the same offsets must hold exactly the same rows, and in every one, also in those on
 * the way, no key may have a lower version than it had (I4).
 *
 * <p>What is above those offsets {@link TableCheck} compares with the log.
 */
public final class RememberedTable {

  private static final int REPORTED = 10;

  private final Table table;
  private final Table tombstones;
  private final @Nullable Snapshot snapshot;
  private final Offsets offsets;
  private final Rows rows;
  private final Rows buried;

  private record Rows(Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey) {

    static Rows of(SnapshotReader reader, @Nullable Snapshot snapshot) {
      return new Rows(snapshot == null ? Map.of() : reader.read(snapshot).rows());
    }

    Map<Map<String, Object>, OracleVersion> versions() {
      Map<Map<String, Object>, OracleVersion> versions = new HashMap<>();
      byKey.forEach(
          (key, copies) ->
              versions.put(
                  key,
                  OracleVersion.parse(
                      String.valueOf(copies.get(0).get(TableCheck.VERSION_COLUMN)))));
      return versions;
    }
  }

  RememberedTable(Table table, Table tombstones) {
    this.table = table;
    this.tombstones = tombstones;
    this.snapshot = table.currentSnapshot();
    this.offsets = TableCheck.lastOffsets(table);
    this.rows = Rows.of(new SnapshotReader(table), snapshot);
    this.buried = Rows.of(new SnapshotReader(tombstones), tombstones.currentSnapshot());
  }

  /**
   * Compares all that was committed since.
   *
   * @throws AssertionError with the first differences
   */
  public void orThrow() {
    List<String> problems = problems();
    if (!problems.isEmpty()) {
      throw new AssertionError(String.join("\n  ", problems));
    }
  }

  /** What the replay changed; empty if nothing. */
  public List<String> problems() {
    table.refresh();
    tombstones.refresh();
    List<String> problems = new ArrayList<>();
    List<Snapshot> later = later();
    SnapshotReader reader = new SnapshotReader(table);
    for (Snapshot each : later) {
      compare(each, reader, problems);
    }
    Set<Map<String, Object>> forgotten = new java.util.HashSet<>(buried.byKey().keySet());
    forgotten.removeAll(
        Rows.of(new SnapshotReader(tombstones), tombstones.currentSnapshot()).byKey().keySet());
    if (!forgotten.isEmpty()) {
      problems.add("I8: the tombstones of " + forgotten + " are gone");
    }
    return problems.size() > REPORTED ? problems.subList(0, REPORTED) : problems;
  }

  private List<Snapshot> later() {
    List<Snapshot> later = new ArrayList<>();
    for (Snapshot each : SnapshotUtil.currentAncestors(table)) {
      // By number: the remembered snapshot may have been expired in the meantime.
      if (snapshot == null || each.sequenceNumber() > snapshot.sequenceNumber()) {
        later.add(0, each);
      }
    }
    return later;
  }

  private void compare(Snapshot each, SnapshotReader reader, List<String> problems) {
    String place = " in snapshot " + each.snapshotId() + ": ";
    Rows now = Rows.of(reader, each);
    Map<Map<String, Object>, OracleVersion> before = rows.versions();
    now.versions()
        .forEach(
            (key, version) -> {
              OracleVersion lowest = before.get(key);
              if (lowest != null && version.compareTo(lowest) < 0) {
                problems.add("I4" + place + key + " went back from " + lowest + " to " + version);
              }
            });
    String recorded = each.summary().get(TableCheck.OFFSETS);
    if (!TableCheck.isRecorded(each)
        || recorded == null
        || !Offsets.parse(recorded).equals(offsets)) {
      return;
    }
    rows.byKey()
        .forEach(
            (key, copies) -> {
              if (!copies.equals(now.byKey().get(key))) {
                problems.add(
                    "I8" + place + key + " was " + copies + ", is " + now.byKey().get(key));
              }
            });
    now.byKey().keySet().stream()
        .filter(key -> !rows.byKey().containsKey(key))
        .forEach(key -> problems.add("I8" + place + key + " was not there"));
  }
}
