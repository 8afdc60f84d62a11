package io.tidemark.oracle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.iceberg.Table;

/**
 * All that must hold of a table, whatever happened to the jobs that keep it.
 *
 * <ul>
 *   <li>I1 to I7, of every snapshot: {@link TableCheck}, and {@link TombstoneCheck}
 *   <li>I8, a replay changes nothing: {@link #remember()}
 *   <li>I9, once faults stop the table catches up: {@link #awaitCaughtUp}
 *   <li>I10, no file is lost, and none is left that no fault explains: {@link #files()}
 * </ul>
 *
 * <p>Everything may be asked while a job runs, but for {@link #files()}. Not thread-safe.
 */
public final class Invariants {

  private static final Duration POLL = Duration.ofMillis(50);

  private final Table table;
  private final Table tombstones;
  private final OracleOptions options;
  private final Epochs epochs;
  private final Gaps gaps;
  private final Supplier<RawLog> log;

  /**
   * The invariants of one table.
   *
   * @param tombstones the table of its deleted keys
   * @param log reads what the log holds now, from its very first record on
   */
  public Invariants(Table table, Table tombstones, OracleOptions options, Supplier<RawLog> log) {
    this(table, tombstones, options, Epochs.NONE, log);
  }

  /** The same of a table in which epochs were begun. */
  public Invariants(
      Table table, Table tombstones, OracleOptions options, Epochs epochs, Supplier<RawLog> log) {
    this(table, tombstones, options, epochs, Gaps.NONE, log);
  }

  /** The same of one that lacks records because somebody accepted it. */
  public Invariants(
      Table table,
      Table tombstones,
      OracleOptions options,
      Epochs epochs,
      Gaps gaps,
      Supplier<RawLog> log) {
    this.table = table;
    this.tombstones = tombstones;
    this.options = options;
    this.epochs = epochs;
    this.gaps = gaps;
    this.log = log;
  }

  /**
   * I1 to I7: every snapshot that there is now.
   *
   * @throws AssertionError with the first differences
   */
  public TableReport everySnapshot() {
    // The log is read after the table, or a record could name an offset that is not in it.
    table.refresh();
    tombstones.refresh();
    return check(oracle(log.get()));
  }

  /**
   * I1 to I7, and that the last record has reached the end of the log.
   *
   * @throws AssertionError with the first differences
   */
  public TableReport caughtUp() {
    RawLog all = log.get();
    Oracle oracle = oracle(all);
    table.refresh();
    tombstones.refresh();
    if (!TableCheck.lastOffsets(table).reach(all.end())) {
      throw new AssertionError(behind(all.end()));
    }
    return check(oracle);
  }

  /**
   * I9: waits until the table stands for all that the log holds now. Offsets that changed nothing
   * need not be recorded.
   *
   * @param deadline how long a table may take whose faults have stopped; generous, because nothing
   *     is proven by how fast it is
   * @param alive whether there still is a job to wait for
   * @throws AssertionError if the job is over or the time is
   */
  public TableReport awaitCaughtUp(Duration deadline, BooleanSupplier alive)
      throws InterruptedException {
    RawLog all = log.get();
    Oracle oracle = oracle(all);
    long end = System.nanoTime() + deadline.toNanos();
    for (Offsets seen = null; ; ) {
      boolean running = alive.getAsBoolean(); // asked first: its last commit counts
      table.refresh();
      Offsets now = TableCheck.lastOffsets(table);
      if (!now.equals(seen) && standsFor(oracle, all.end())) {
        break;
      }
      seen = now;
      if (!running || System.nanoTime() > end) {
        throw new AssertionError(
            behind(all.end()) + (running ? " after " + deadline : ", and the job is over"));
      }
      Thread.sleep(POLL.toMillis());
    }
    return everySnapshot();
  }

  /** I8: what the table holds, to be compared with what it holds after a replay. */
  public RememberedTable remember() {
    table.refresh();
    tombstones.refresh();
    return new RememberedTable(table, tombstones);
  }

  /** I10: the files of the table and of its tombstones; no job may run. */
  public FileReport files() {
    table.refresh();
    tombstones.refresh();
    return FileReport.of(table).plus(FileReport.of(tombstones));
  }

  private TableReport check(Oracle oracle) {
    TableReport report = TableCheck.of(table, oracle);
    List<String> problems = new ArrayList<>(report.problems());
    problems.addAll(TombstoneCheck.of(table, tombstones, oracle));
    return new TableReport(
            report.snapshots(), report.recorded(), report.rows(), problems, report.omitted())
        .orThrow();
  }

  private Oracle oracle(RawLog all) {
    return new Oracle(options, all, Offsets.NONE, epochs, gaps);
  }

  /** Whether nothing between the recorded offsets and these changes a row or deletes a key. */
  private boolean standsFor(Oracle oracle, Offsets end) {
    Offsets recorded = TableCheck.lastOffsets(table);
    if (recorded.reach(end)) {
      return true;
    }
    OracleTable now = oracle.fold(recorded);
    OracleTable then = oracle.fold(end);
    return same(now.live(), then.live()) && same(now.deleted(), then.deleted());
  }

  private static boolean same(
      Map<Map<String, Object>, OracleRow> one, Map<Map<String, Object>, OracleRow> other) {
    return one.keySet().equals(other.keySet())
        && one.entrySet().stream()
            .allMatch(
                row -> {
                  OracleRow same = Objects.requireNonNull(other.get(row.getKey()));
                  return same.version().ties(row.getValue().version())
                      && Objects.equals(same.row(), row.getValue().row());
                });
  }

  private String behind(Offsets end) {
    return "I9: the last record of "
        + table.name()
        + " reached "
        + TableCheck.lastOffsets(table).next()
        + ", and the log ends at "
        + end.next();
  }
}
