package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Compares every snapshot of a table with the log that it was made from.
 *
 * <ul>
 *   <li>I1, I2: a snapshot with a record equals the fold of the log up to the recorded offsets, in
 *       every column and version, and in what it says of columns that older changes told
 *   <li>I3: one live row per key, in every snapshot
 *   <li>I4: the version of a key never decreases
 *   <li>I5: a deleted key never comes back with a lower version
 *   <li>I6: recorded offsets never decrease, and each record names the one before it, all that is
 *       left out below its offsets, and how many rows there are, of which versions
 *   <li>I7: no file is live twice, and all files exist
 * </ul>
 */
public final class TableCheck {

  static final String COMMIT_ID = "tidemark.commit-id";
  static final String PARENT = "tidemark.parent";
  static final String OFFSETS = "tidemark.offsets";
  static final String TOPIC_IDS = "tidemark.topic-ids";
  static final String GAPS = "tidemark.gaps";
  static final String PARTIAL = "tidemark.partial";
  static final String ACCEPTED = "tidemark.accepted-snapshot";
  static final String VERSION_COLUMN = "_commit_version";
  static final String TIME_COLUMN = "_source_ts";
  static final String KEPT_COLUMN = "_kept";

  /** The columns that are not the source's. */
  public static final Set<String> ADDED_COLUMNS = Set.of(VERSION_COLUMN, TIME_COLUMN, KEPT_COLUMN);

  private static final int REPORTED = 20;

  private final Table table;
  private final Oracle oracle;
  private final LiveFiles files;
  private final SnapshotReader reader;
  private final Map<Map<String, Object>, OracleVersion> shown = new HashMap<>();
  private final Map<Map<String, Object>, OracleVersion> gone = new HashMap<>();
  private final List<String> problems = new ArrayList<>();
  private int omitted;
  private int recorded;
  private long rows;
  private Offsets lastOffsets = Offsets.NONE;
  private @Nullable String lastCommit;
  private boolean counted; // earlier builds did not

  private TableCheck(Table table, Oracle oracle) {
    this.table = table;
    this.oracle = oracle;
    this.files = new LiveFiles(table);
    this.reader = new SnapshotReader(table);
  }

  /** Checks the whole history of a table's current snapshot. */
  public static TableReport of(Table table, Oracle oracle) {
    table.refresh();
    TableCheck check = new TableCheck(table, oracle);
    List<Snapshot> history = new ArrayList<>();
    if (table.currentSnapshot() != null) {
      SnapshotUtil.currentAncestors(table).forEach(snapshot -> history.add(0, snapshot));
    }
    history.forEach(check::snapshot);
    return check.report(history.size());
  }

  /**
   * As {@link #of}, and that the last snapshot has seen a whole log.
   *
   * @param end the place that it must have recorded at least
   */
  public static TableReport of(Table table, Oracle oracle, Offsets end) {
    TableReport report = of(table, oracle);
    Offsets last = lastOffsets(table);
    if (last.reach(end)) {
      return report;
    }
    List<String> problems = new ArrayList<>(report.problems());
    problems.add(
        "I9: the last record reached " + last.next() + ", and the log ends at " + end.next());
    return new TableReport(
        report.snapshots(), report.recorded(), report.rows(), problems, report.omitted());
  }

  /** The offsets of the newest record; none if there is no record. */
  public static Offsets lastOffsets(Table table) {
    if (table.currentSnapshot() != null) {
      for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
        String offsets = snapshot.summary().get(OFFSETS);
        if (isRecorded(snapshot) && offsets != null) {
          return Offsets.parse(offsets);
        }
      }
    }
    return Offsets.NONE;
  }

  static boolean isRecorded(Snapshot snapshot) {
    return snapshot.summary().containsKey(COMMIT_ID)
        && !Boolean.parseBoolean(snapshot.summary().get(PARTIAL));
  }

  private TableReport report(int snapshots) {
    return new TableReport(snapshots, recorded, rows, problems, omitted);
  }

  private void snapshot(Snapshot snapshot) {
    if (!files.check(snapshot, (fault, path) -> problem(snapshot, "I7", fault.of(path)))) {
      return;
    }
    SnapshotRows content = reader.read(snapshot);
    Map<Map<String, Object>, OracleVersion> versions = versions(snapshot, content);
    neverBack(snapshot, versions);
    if (isRecorded(snapshot)) {
      recorded++;
      Offsets offsets = record(snapshot);
      OracleTable expected = oracle.fold(offsets);
      compare(snapshot, content, expected);
      count(snapshot, content);
      expected.deleted().forEach((key, row) -> gone.put(fit(content.schema(), key), row.version()));
    }
  }

  private Map<Map<String, Object>, OracleVersion> versions(
      Snapshot snapshot, SnapshotRows content) {
    Map<Map<String, Object>, OracleVersion> versions = new HashMap<>();
    content
        .rows()
        .forEach(
            (key, copies) -> {
              if (copies.size() > 1) {
                problem(snapshot, "I3", key + " has " + copies.size() + " live rows: " + copies);
              }
              Object text = copies.get(0).get(VERSION_COLUMN);
              if (text == null) {
                problem(snapshot, "I4", key + " has no version");
              } else {
                versions.put(key, OracleVersion.parse(text.toString()));
              }
            });
    return versions;
  }

  private void neverBack(Snapshot snapshot, Map<Map<String, Object>, OracleVersion> versions) {
    versions.forEach(
        (key, version) -> {
          OracleVersion before = shown.put(key, version);
          if (before != null && version.compareTo(before) < 0) {
            problem(snapshot, "I4", key + " went back from " + before + " to " + version);
          }
          OracleVersion deleted = gone.get(key);
          if (deleted != null && version.compareTo(deleted) < 0) {
            problem(snapshot, "I5", key + " was deleted at " + deleted + ", back with " + version);
          }
        });
  }

  private Offsets record(Snapshot snapshot) {
    Map<String, String> summary = snapshot.summary();
    String recordedOffsets = summary.get(OFFSETS);
    if (recordedOffsets == null) {
      problem(snapshot, "I6", "the record has no offsets");
      return lastOffsets;
    }
    Offsets offsets =
        Offsets.parse(recordedOffsets)
            .ofTopics(
                summary.getOrDefault(TOPIC_IDS, "{}"),
                topic -> topic.contains("@") && oracle.has(topic),
                lastOffsets);
    if (!offsets.reach(lastOffsets)) {
      problem(
          snapshot, "I6", "offsets went back from " + lastOffsets.next() + " to " + offsets.next());
    }
    Gaps named = Gaps.parse(summary.getOrDefault(GAPS, "{}"));
    Gaps lacking = oracle.gaps().below(Offsets.parse(recordedOffsets));
    if (!named.equals(lacking)) {
      problem(
          snapshot,
          "I6",
          "gaps are " + named.ranges() + ", but " + lacking.ranges() + " is lacking");
    }
    if (!Objects.equals(summary.get(PARENT), lastCommit)) {
      problem(
          snapshot,
          "I6",
          "parent is " + summary.get(PARENT) + ", but " + lastCommit + " was before");
    }
    lastOffsets = offsets;
    lastCommit = summary.get(COMMIT_ID);
    return offsets;
  }

  /** After a repair nothing is counted until a start without state has counted anew. */
  private void count(Snapshot snapshot, SnapshotRows content) {
    Map<String, String> summary = snapshot.summary();
    boolean was = counted;
    counted = RowCount.isIn(summary);
    if (was && !counted && !summary.containsKey(ACCEPTED)) {
      problem(snapshot, "I6", "the record does not count its rows, and the one before it did");
    }
    RowCount rows = new RowCount();
    for (List<Map<String, @Nullable Object>> copies : content.rows().values()) {
      for (Map<String, @Nullable Object> row : copies) {
        Object version = row.get(VERSION_COLUMN);
        if (version == null) {
          rows.addUnversioned();
        } else {
          rows.add(OracleVersion.parse(version.toString()));
        }
      }
    }
    String difference = rows.difference(summary);
    if (difference != null) {
      problem(snapshot, "I6", difference);
    }
  }

  private void compare(Snapshot snapshot, SnapshotRows content, OracleTable expected) {
    Map<Map<String, Object>, OracleRow> missing = new TreeMap<>(TableCheck::byText);
    expected.live().forEach((key, row) -> missing.put(fit(content.schema(), key), row));
    for (Map.Entry<Map<String, Object>, List<Map<String, @Nullable Object>>> found :
        content.rows().entrySet()) {
      rows++;
      OracleRow row = missing.remove(found.getKey());
      if (row == null) {
        problem(snapshot, "I2", "row that the log does not have: " + found.getValue().get(0));
      } else {
        compareRow(snapshot, content.schema(), found.getValue().get(0), row);
      }
    }
    missing.forEach(
        (key, row) -> problem(snapshot, "I2", "missing " + key + ", expected " + row.row()));
  }

  private void compareRow(
      Snapshot snapshot, Schema schema, Map<String, @Nullable Object> found, OracleRow expected) {
    Map<String, Object> key = SnapshotRows.key(table.schema(), found);
    Map<String, @Nullable Object> row = Objects.requireNonNull(expected.row());
    for (Types.NestedField column : schema.columns()) {
      if (!ADDED_COLUMNS.contains(column.name())) {
        Object want = IcebergValues.fit(column.type(), row.get(column.name()));
        same(snapshot, key + "." + column.name(), want, found.get(column.name()));
      }
    }
    for (Map.Entry<String, @Nullable Object> column : row.entrySet()) {
      if (column.getValue() != null && schema.findField(column.getKey()) == null) {
        problem(snapshot, "I2", "the table has no column for " + key + "." + column.getKey());
      }
    }
    compareKept(snapshot, key, found.get(KEPT_COLUMN), expected.kept());
    OracleVersion version = OracleVersion.parse(String.valueOf(found.get(VERSION_COLUMN)));
    if (expected.allows(version)) {
      OffsetDateTime time = expected.sourceTime(version);
      same(snapshot, key + "." + TIME_COLUMN, time, found.get(TIME_COLUMN));
    } else {
      problem(snapshot, "I2", key + " has version " + version + ", expected " + expected.version());
    }
  }

  private void compareKept(
      Snapshot snapshot,
      Map<String, Object> key,
      @Nullable Object found,
      Map<String, OracleTold> expected) {
    Map<?, ?> shown = found == null ? Map.of() : (Map<?, ?>) found;
    boolean same =
        shown.keySet().equals(expected.keySet())
            && expected.entrySet().stream()
                .allMatch(
                    column ->
                        column.getValue().isShownAs(String.valueOf(shown.get(column.getKey()))));
    if (!same) {
      problem(snapshot, "I2", key + "." + KEPT_COLUMN + " is " + shown + ", expected " + expected);
    }
  }

  private void same(
      Snapshot snapshot, String what, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      problem(
          snapshot, "I2", what + " is " + described(found) + ", expected " + described(expected));
    }
  }

  private static String described(@Nullable Object value) {
    return value == null ? "null" : value + " (" + value.getClass().getSimpleName() + ")";
  }

  static Map<String, Object> fit(Schema schema, Map<String, Object> key) {
    Map<String, Object> fitted = new TreeMap<>();
    key.forEach(
        (name, value) -> {
          Types.NestedField field = schema.findField(name);
          Object fit = field == null ? value : IcebergValues.fit(field.type(), value);
          fitted.put(name, fit == null ? "null" : fit);
        });
    return fitted;
  }

  private static int byText(Map<String, Object> a, Map<String, Object> b) {
    return a.toString().compareTo(b.toString());
  }

  private void problem(Snapshot snapshot, String invariant, String what) {
    if (problems.size() == REPORTED) {
      omitted++;
    } else {
      problems.add(
          invariant
              + " in snapshot "
              + snapshot.snapshotId()
              + " (no. "
              + snapshot.sequenceNumber()
              + "): "
              + what);
    }
  }
}
