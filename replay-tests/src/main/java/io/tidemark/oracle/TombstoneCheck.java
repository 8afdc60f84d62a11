package io.tidemark.oracle;

import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the tombstone table remembers every deleted key at the version of its delete: what a
 * start without state knows of them. A record may name a horizon; then only what was deleted a day
 * before it or later must be there.
 */
public final class TombstoneCheck {

  private final Table table;
  private final Table tombstones;
  private final SnapshotReader reader;
  private final Oracle oracle;
  private final List<String> problems = new ArrayList<>();

  private TombstoneCheck(Table table, Table tombstones, Oracle oracle) {
    this.table = table;
    this.tombstones = tombstones;
    this.reader = new SnapshotReader(tombstones);
    this.oracle = oracle;
  }

  /**
   * Compares the current snapshots of a table and of its tombstone table; and where keys are
   * forgotten, each record with the tombstones that it names.
   *
   * @return what is missing; empty if nothing is
   */
  public static List<String> of(Table table, Table tombstones, Oracle oracle) {
    table.refresh();
    tombstones.refresh();
    TombstoneCheck check = new TombstoneCheck(table, tombstones, oracle);
    if (table.currentSnapshot() != null) {
      List<Snapshot> records = new ArrayList<>();
      for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
        if (TableCheck.isRecorded(snapshot)) {
          records.add(snapshot);
        }
      }
      (check.hasForgotten(records.get(0)) ? records : records.subList(0, 1)).forEach(check::record);
    }
    return check.problems;
  }

  /**
   * Checks that the horizon follows the source: never back, and never later than whole days before
   * the time that the slowest partition has reached.
   *
   * @param days how long deleted keys are to be remembered
   */
  public static List<String> ofHorizon(Table table, Oracle oracle, int days) {
    table.refresh();
    TombstoneCheck check = new TombstoneCheck(table, table, oracle);
    LocalDate later = null;
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      LocalDate horizon = TableRecord.horizon(snapshot.summary());
      if (!TableCheck.isRecorded(snapshot)) {
        continue;
      }
      if (later != null && horizon != null && horizon.isAfter(later)) {
        check.problems.add("I6: the horizon went back from " + horizon + " to " + later);
      }
      later = horizon == null ? later : horizon;
      if (horizon != null) {
        OffsetDateTime reached = check.reached(snapshot);
        if (reached == null || horizon.isAfter(reached.toLocalDate().minusDays(days))) {
          check.problems.add(
              "I6: the horizon is " + horizon + ", the slowest partition was at " + reached);
        }
      }
    }
    return check.problems;
  }

  private boolean hasForgotten(Snapshot record) {
    OffsetDateTime from = from(record);
    return from != null
        && oracle.changes().stream()
            .map(OracleChange::sourceTime)
            .anyMatch(at -> at != null && at.isBefore(from));
  }

  /** From when on tombstones must be there; null if all must be. */
  private static @Nullable OffsetDateTime from(Snapshot record) {
    LocalDate horizon = TableRecord.horizon(record.summary());
    return horizon == null ? null : horizon.minusDays(1).atStartOfDay().atOffset(ZoneOffset.UTC);
  }

  /** The smallest of the partitions' newest streamed times below a record; null if one has none. */
  private @Nullable OffsetDateTime reached(Snapshot snapshot) {
    Offsets upTo = Offsets.parse(snapshot.summary().getOrDefault(TableCheck.OFFSETS, "{}"));
    Map<Integer, OffsetDateTime> newest = new TreeMap<>();
    for (OracleChange change : oracle.changes()) {
      OffsetDateTime none = OffsetDateTime.MIN;
      OffsetDateTime at = change.sourceTime();
      boolean streamed = at != null && change.version().phase() == 0;
      newest.merge(
          change.event().partition(),
          streamed && upTo.cover(change.event()) ? at : none,
          (a, b) -> a.isAfter(b) ? a : b);
    }
    OffsetDateTime smallest = null;
    for (OffsetDateTime at : newest.values()) {
      smallest = smallest == null || at.isBefore(smallest) ? at : smallest;
    }
    return OffsetDateTime.MIN.equals(smallest) ? null : smallest;
  }

  private void record(Snapshot record) {
    String named = record.summary().get(TableRecord.TOMBSTONES);
    Snapshot pinned = named == null ? null : tombstones.snapshot(Long.parseLong(named));
    if (named != null && pinned == null) {
      return; // somebody expired it
    }
    OffsetDateTime from = from(record);
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> remembered =
        pinned == null ? Map.of() : byKey(pinned);
    Offsets upTo = Offsets.parse(record.summary().getOrDefault(TableCheck.OFFSETS, "{}"));
    oracle
        .fold(upTo)
        .deleted()
        .forEach(
            (key, row) -> {
              OffsetDateTime at = row.sourceTime();
              if (from != null && at != null && at.isBefore(from)) {
                return;
              }
              List<Map<String, @Nullable Object>> found =
                  remembered.getOrDefault(TableCheck.fit(table.schema(), key), List.of());
              if (found.stream().noneMatch(tombstone -> row.allows(version(tombstone)))) {
                problems.add(
                    "I5 in snapshot "
                        + record.snapshotId()
                        + ": no tombstone for "
                        + key
                        + " at "
                        + row.version()
                        + ", deleted "
                        + at
                        + (from == null ? "" : ", remembered from " + from)
                        + ", found "
                        + found);
              }
            });
  }

  private Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey(Snapshot snapshot) {
    Map<Map<String, Object>, List<Map<String, @Nullable Object>>> byKey = new HashMap<>();
    reader
        .read(snapshot)
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

  private static OracleVersion version(Map<String, @Nullable Object> tombstone) {
    return OracleVersion.parse(String.valueOf(tombstone.get(TableCheck.VERSION_COLUMN)));
  }
}
