package io.tidemark.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * Compares a table, at one snapshot, with the fold of its log. Rows are read one by one; what is
 * kept is in proportion to the number of keys.
 *
 * <p>Where the log has lost its beginning, a row or a tombstone that only a lost record can explain
 * is counted, and not judged.
 */
public final class Verification {

  /**
   * What a comparison came to.
   *
   * @param rows live rows in the table; -1 if they could not be read
   * @param tombstones in the tombstone table; -1 if they could not be read
   * @param live keys that the log leaves alive
   * @param deleted keys that the log leaves deleted
   * @param unexplained keys whose last record may be among those that the log has lost
   * @param aside where the records lie that were put aside, and would change the table
   * @param tombstoneSnapshot id of the tombstone table's snapshot that was read; null for none
   * @param notes what was not looked at, and why
   */
  public record Result(
      long rows,
      long tombstones,
      long live,
      long deleted,
      long unexplained,
      List<Place> aside,
      @Nullable Long tombstoneSnapshot,
      List<String> notes) {}

  /**
   * What it came to where files are damaged.
   *
   * @param note what was not looked at
   */
  public static Result unread(KeyFold fold, String note) {
    long[] keys = {0, 0};
    fold.forEach((key, state) -> keys[state.isLive() ? 0 : 1]++);
    return new Result(-1, -1, keys[0], keys[1], 0, fold.leftAside(), null, List.of(note));
  }

  private final TableRecord pinned;
  private final KeyFold fold;
  private final LogExtent log;
  private final Findings findings;
  private final Damage damage;
  private final LongConsumer progress;
  private final Set<List<Object>> differing = new HashSet<>();
  private final Map<List<Object>, Integer> unknownKeys = new HashMap<>();
  private final List<String> notes = new ArrayList<>();
  private final RowCount counted = new RowCount();
  private @Nullable Long tombstoneSnapshot;
  private long unexplained;
  private long forgotten;

  /**
   * A comparison.
   *
   * @param fold of all that the log has up to the offsets of {@code pinned}; used up by this
   * @param findings takes the differences
   * @param progress is told the number of rows read so far, after each
   */
  public Verification(
      TableRecord pinned, KeyFold fold, LogExtent log, Findings findings, LongConsumer progress) {
    this(pinned, fold, log, findings, Damage.IGNORED, progress);
  }

  /**
   * A comparison for a repair.
   *
   * @param damage takes all that differs, not only the first of each kind
   */
  public Verification(
      TableRecord pinned,
      KeyFold fold,
      LogExtent log,
      Findings findings,
      Damage damage,
      LongConsumer progress) {
    this.pinned = pinned;
    this.fold = fold;
    this.log = log;
    this.findings = findings;
    this.damage = damage;
    this.progress = progress;
  }

  /**
   * Compares.
   *
   * @param tombstones null if there is no such table
   */
  public Result run(Table table, @Nullable Table tombstones) {
    pinned
        .foreign()
        .forEach(write -> findings.add(Difference.FOREIGN, table.name() + ": " + write));
    long rows = scan(table, table.snapshot(pinned.snapshot()), this::row);
    String otherRows = rows < 0 ? null : counted.difference(pinned.counts());
    if (otherRows != null && pinned.foreign().isEmpty()) {
      findings.add(Difference.MISCOUNTED, table.name() + ": " + otherRows);
    }
    long remembered = tombstones(tombstones);
    long[] keys = {0, 0};
    fold.forEach(
        (key, state) -> {
          keys[state.isLive() ? 0 : 1]++;
          judge(key, state, rows >= 0, remembered >= 0);
        });
    if (forgotten > 0) {
      notes.add(
          forgotten
              + " deleted keys were not looked for among the tombstones: they lie before the table's"
              + " horizon "
              + pinned.horizon()
              + " (tombstones.retention).");
    }
    return new Result(
        rows,
        remembered,
        keys[0],
        keys[1],
        unexplained,
        fold.leftAside(),
        tombstoneSnapshot,
        List.copyOf(notes));
  }

  private long tombstones(@Nullable Table tombstones) {
    if (pinned.tombstones() == null || tombstones == null) {
      return 0;
    }
    Snapshot snapshot = tombstones.snapshot(pinned.tombstones());
    if (snapshot != null) {
      TableRecord.foreignSince(tombstones, snapshot.snapshotId())
          .forEach(write -> findings.add(Difference.FOREIGN, tombstones.name() + ": " + write));
    } else {
      notes.add(
          "Snapshot "
              + pinned.tombstones()
              + " of the tombstone table was expired; its current snapshot was read instead.");
      snapshot = tombstones.currentSnapshot();
    }
    tombstoneSnapshot = snapshot == null ? null : snapshot.snapshotId();
    return snapshot == null ? 0 : scan(tombstones, snapshot, this::tombstone);
  }

  private interface RowTaker {
    void take(
        List<Object> key, OracleVersion version, Map<String, @Nullable Object> row, Record record);
  }

  /** Looks at the files of a snapshot, and at the rows if all files are there; -1 if not. */
  private long scan(Table table, Snapshot snapshot, RowTaker taker) {
    if (!filesAreThere(table, snapshot)) {
      notes.add("The rows of " + table.name() + " were not compared: not all files are there.");
      return -1;
    }
    Schema schema = SnapshotUtil.schemaFor(table, snapshot.snapshotId());
    long count = 0;
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).useSnapshot(snapshot.snapshotId()).build()) {
      for (Record record : records) {
        Map<String, @Nullable Object> row = IcebergValues.read(schema.asStruct(), record);
        take(row, record, taker);
        progress.accept(++count);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return count;
  }

  private void take(Map<String, @Nullable Object> row, Record record, RowTaker taker) {
    List<Object> key = fold.key(row);
    if (log.adopted() && row.get(TableCheck.VERSION_COLUMN) == null) {
      taker.take(key, OracleVersion.BELOW_ALL, row, record);
      return;
    }
    OracleVersion version;
    try {
      version = OracleVersion.parse(String.valueOf(row.get(TableCheck.VERSION_COLUMN)));
    } catch (IllegalArgumentException e) {
      findings.add(
          Difference.OLDER,
          new Findings.Example(fold.text(key), "no version can be read", List.of(), row, null));
      KeyState state = fold.get(key);
      if (state != null) {
        state.rows++;
        differing.add(key);
      } else {
        damage.unknown(record);
      }
      return;
    }
    taker.take(key, version, row, record);
  }

  private boolean filesAreThere(Table table, Snapshot snapshot) {
    try {
      return new LiveFiles(table)
          .check(
              snapshot,
              (fault, path) -> {
                if (fault == LiveFiles.Fault.TWICE) {
                  damage.doubled(path);
                }
                findings.add(
                    fault == LiveFiles.Fault.GONE ? Difference.FILE_GONE : Difference.FILE_TWICE,
                    path);
              });
    } catch (NotFoundException e) {
      findings.add(Difference.FILE_GONE, String.valueOf(e.getMessage()));
      return false;
    }
  }

  private void row(
      List<Object> key, OracleVersion version, Map<String, @Nullable Object> row, Record record) {
    if (version.equals(OracleVersion.BELOW_ALL)) {
      counted.addUnversioned();
    } else {
      counted.add(version);
    }
    KeyState state =
        fold.shownAt(
            key,
            version,
            alone ->
                alone.isLive()
                    && alone.allows(version)
                    && fold.differences(alone, version, row, log).isEmpty());
    if (state == null) {
      unknownRow(key, version, row, record);
      return;
    }
    boolean lost = log.mayHaveLost(version);
    boolean above = version.compareTo(state.version()) > 0 && !version.ties(state.version());
    state.lost |= lost && above;
    if (++state.rows > 1) {
      if (state.rows == 2) {
        findings.add(Difference.DUPLICATE, example(key, "", state, row, List.of()));
        differing.add(key);
      }
      return;
    }
    if (state.lost) {
      return;
    }
    Difference wrongVersion = wrongVersion(state, version, lost);
    if (!state.isLive()) {
      String at = "deleted at " + state.place() + ", the row is of offset " + version.offset();
      findings.add(Difference.RISEN, example(key, at, state, row, List.of()));
      differing.add(key);
      return;
    }
    List<String> columns = fold.differences(state, version, row, log);
    if (wrongVersion != null) {
      String at = "is at " + version + ", the log at " + state.version();
      findings.add(wrongVersion, example(key, at, state, row, columns));
      differing.add(key);
    } else if (!columns.isEmpty()) {
      findings.add(Difference.DIFFERENT, example(key, "", state, row, columns));
      differing.add(key);
    }
  }

  /** A copy at the same position, of which the log has lost one, may be the one that stands. */
  private static @Nullable Difference wrongVersion(
      KeyState state, OracleVersion version, boolean lost) {
    if (state.allows(version) || (lost && version.ties(state.version()))) {
      return null;
    }
    return version.compareTo(state.version()) < 0 ? Difference.OLDER : Difference.NEWER;
  }

  private void unknownRow(
      List<Object> key, OracleVersion version, Map<String, @Nullable Object> row, Record record) {
    int rows = unknownKeys.merge(key, 1, Integer::sum);
    Findings.Example example = new Findings.Example(fold.text(key), "", List.of(), row, null);
    if (rows == 2) {
      findings.add(Difference.DUPLICATE, example);
      damage.unknown(record);
    } else if (rows == 1 && log.mayHaveLost(version)) {
      unexplained++;
    } else if (rows == 1) {
      findings.add(Difference.EXTRA, example);
      damage.unknown(record);
    }
  }

  private void tombstone(
      List<Object> key, OracleVersion version, Map<String, @Nullable Object> row, Record record) {
    KeyState before = fold.get(key);
    boolean wasLive = before != null && before.isLive();
    KeyState state = fold.shownAt(key, version, alone -> alone.version().compareTo(version) >= 0);
    if (wasLive && state != null && !state.isLive() && state.rows > 0) {
      String at = "deleted at " + state.place() + ", by a record that was put aside";
      findings.add(Difference.RISEN, example(key, at, state, null, List.of()));
      differing.add(key);
    }
    boolean lost = log.mayHaveLost(version);
    if (state != null && !state.isLive() && state.allows(version)) {
      state.tombstoned = true;
    } else if (lost && (state == null || version.compareTo(state.version()) > 0)) {
      if (state != null) {
        state.lost = true;
      }
    } else if (lost && state != null && !state.isLive() && version.ties(state.version())) {
      state.tombstoned = true;
    } else if (state == null || version.compareTo(state.version()) > 0) {
      String detail = "at " + version + (state == null ? "" : ", the log at " + state.version());
      findings.add(
          Difference.TOMBSTONE_WRONG,
          new Findings.Example(fold.text(key), detail, List.of(), null, null));
    }
  }

  private void judge(List<Object> key, KeyState state, boolean rowsKnown, boolean tombstonesKnown) {
    boolean differs = differing.remove(key);
    if (state.lost) {
      unexplained++;
      if (differs) {
        damage.lost();
      }
      return;
    }
    if (state.isLive()) {
      if (rowsKnown && state.rows == 0) {
        findings.add(
            Difference.MISSING, example(key, "from " + state.place(), state, null, List.of()));
        differs = true;
      }
    } else if (isForgotten(state)) {
      forgotten++;
    } else if (tombstonesKnown && !state.tombstoned) {
      findings.add(
          Difference.TOMBSTONE_MISSING,
          example(key, "deleted at " + state.place(), state, null, List.of()));
      differs = true;
    }
    if (differs) {
      damage.standing(state.place());
    }
  }

  /** Tombstones stay a day longer than the horizon says. */
  private boolean isForgotten(KeyState state) {
    return !state.tombstoned
        && pinned.horizon() != null
        && state.isBefore(pinned.horizon().minusDays(1).atStartOfDay().atOffset(ZoneOffset.UTC));
  }

  private Findings.Example example(
      List<Object> key,
      String detail,
      KeyState state,
      @Nullable Map<String, @Nullable Object> row,
      List<String> columns) {
    return new Findings.Example(
        fold.text(key), detail, columns, row, state.isLive() ? state.place() : null);
  }
}
