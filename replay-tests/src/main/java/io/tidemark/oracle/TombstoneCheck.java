package io.tidemark.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the tombstone table remembers every deleted key at the version of its delete: what a
 * start without state knows of them.
 */
public final class TombstoneCheck {

  private TombstoneCheck() {}

  /**
   * Compares the current snapshots of a table and of its tombstone table.
   *
   * @return what is missing; empty if nothing is
   */
  public static List<String> of(Table table, Table tombstones, Oracle oracle) {
    tombstones.refresh();
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> remembered =
        tombstones.currentSnapshot() == null ? Map.of() : byKey(table, tombstones);
    List<String> problems = new ArrayList<>();
    oracle
        .fold(TableCheck.lastOffsets(table))
        .deleted()
        .forEach(
            (key, row) -> {
              Map<String, Object> fitted = new TreeMap<>();
              key.forEach((name, value) -> fitted.put(name, fit(table, name, value)));
              List<Map<String, @Nullable Object>> found =
                  remembered.getOrDefault(fitted, List.of());
              if (found.stream().noneMatch(tombstone -> row.allows(version(tombstone)))) {
                problems.add(
                    "I5: no tombstone for " + key + " at " + row.version() + ", found " + found);
              }
            });
    return problems;
  }

  private static Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey(
      Table table, Table tombstones) {
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey = new java.util.HashMap<>();
    SnapshotRows.read(tombstones, tombstones.currentSnapshot())
        .rows()
        .values()
        .forEach(
            rows ->
                rows.forEach(
                    row ->
                        byKey
                            .computeIfAbsent(
                                SnapshotRows.key(table.schema(), row), key -> new ArrayList<>())
                            .add(row)));
    return byKey;
  }

  private static Object fit(Table table, String name, Object value) {
    Types.NestedField field = table.schema().findField(name);
    Object fitted = field == null ? value : IcebergValues.fit(field.type(), value);
    return fitted == null ? "null" : fitted;
  }

  private static OracleVersion version(Map<String, @Nullable Object> tombstone) {
    return OracleVersion.parse(String.valueOf(tombstone.get(TableCheck.VERSION_COLUMN)));
  }
}
