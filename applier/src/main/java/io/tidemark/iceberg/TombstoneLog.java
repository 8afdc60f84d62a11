package io.tidemark.iceberg;

import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.RecordPointer;
import io.tidemark.commit.Retention;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * The tombstone table, whose snapshots count only if a record of the main table names them.
 *
 * <p>Tombstones are committed before the table, so a crash leaves some behind whose commit never
 * landed. A record pins the snapshot that belongs to it; whatever lies above the pinned one is
 * taken back before the next tombstones are appended, but for compactions, which change no rows.
 * {@link KeptTombstones} says why the pinned one is still there then.
 *
 * <p>What is forgotten is dropped file by file, in the transaction that appends, and only what the
 * <em>parent's</em> record allows to be forgotten: that one is in the table, and no later record
 * has a lower horizon. So the snapshot that a record pins has all that its own horizon promises,
 * whatever becomes of the commit that drops, and a job that goes on from an older record, or a
 * second copy of the job, finds what that record needs.
 */
final class TombstoneLog {
  private static final String NOTHING = "none";

  private TombstoneLog() {}

  /**
   * Appends the tombstones of one commit on top of the pinned snapshot. Does nothing if they are
   * there.
   *
   * @param pinned the snapshot that the parent's record names; null for none
   * @param forgottenBefore tombstones of that and later source times stay; microseconds since the
   *     epoch, {@link io.tidemark.commit.Retention#NONE} for all
   * @return the snapshot that belongs to the commit
   * @throws ForeignWriteException if somebody else wrote rows
   * @throws CommitRefusedException if the pinned snapshot is gone and nothing descends from it
   */
  static Long append(
      Table table,
      @Nullable Long pinned,
      long forgottenBefore,
      String commitId,
      List<DataFile> files) {
    // The transaction reads the table anew: what follows must all be decided on that one state.
    Transaction tx = table.newTransaction();
    List<Snapshot> chain = chain(table);
    Snapshot mine = committed(table, pinned, commitId);
    if (mine != null) {
      if (!tops(chain, mine.snapshotId())) {
        tx.manageSnapshots().setCurrentSnapshot(mine.snapshotId()).commit();
        KeptTombstones.keep(tx, null, null, mine.snapshotId());
        point(tx, mine.snapshotId(), summary(pinned, commitId));
        KeptTombstones.commit(table, tx::commitTransaction);
      }
      return mine.snapshotId();
    }
    Long base = null;
    if (pinned == null) {
      clear(tx, table, chain, commitId);
    } else {
      base = base(table, chain, pinned);
      if (chain.isEmpty() || chain.get(0).snapshotId() != base) {
        tx.manageSnapshots().setCurrentSnapshot(base).commit();
      }
      drop(tx, forgotten(table, base, forgottenBefore), summary(pinned, commitId));
    }
    AppendFiles append = tx.newFastAppend();
    files.forEach(append::appendFile);
    Map<String, String> summary = summary(pinned, commitId);
    summary.forEach(append::set);
    append.validateWith(new StillThere(newestOwn(chain(tx.table())), commitId));
    append.commit();
    long id = tx.table().currentSnapshot().snapshotId();
    KeptTombstones.keep(tx, pinned, base, id);
    point(tx, id, summary);
    TableFiles.requireSources(
        table, base == null ? table.currentSnapshot() : table.snapshot(base), tx.table());
    KeptTombstones.commit(table, tx::commitTransaction);
    return id;
  }

  /**
   * Makes sure that what a record names outlives everybody's expiry, where an earlier Tidemark has
   * not. What is gone, or hidden by what others wrote, is refused where it is read; a repair, which
   * reads the log instead, brings it back.
   */
  static void keep(Table table, long pinned) {
    long readable;
    try {
      readable = readable(table, pinned);
    } catch (CommitRefusedException | ForeignWriteException gone) {
      return;
    }
    KeptTombstones.keep(table, pinned, readable);
  }

  /**
   * Makes the tombstones that were compared with the log the current ones, whoever wrote above
   * them. Harmless by itself: a record names them, or they are current already.
   *
   * @param compared id of their snapshot; null if there were none
   * @throws CommitRefusedException if they are gone
   */
  static void goBackTo(Table table, @Nullable Long compared) {
    if (compared == null) {
      return; // no record names any: what is there is cleared before the next are appended
    }
    if (table.snapshot(compared) == null) {
      throw new CommitRefusedException(
          "Snapshot "
              + compared
              + " of "
              + table.name()
              + " was expired since it was compared with the log. Run it again");
    }
    Snapshot current = table.currentSnapshot();
    if (current == null
        || current.snapshotId() != compared
        || KeptTombstones.of(table, compared) == null) {
      Transaction tx = table.newTransaction();
      tx.manageSnapshots().setCurrentSnapshot(compared).commit();
      KeptTombstones.keep(tx, null, null, compared);
      point(tx, compared, Map.of());
      KeptTombstones.commit(table, tx::commitTransaction);
    }
  }

  /**
   * Says which tombstones a compaction compacts from now on, in the transaction that makes them the
   * current ones: after expiry nothing else tells what is left of them.
   */
  private static void point(Transaction tx, long current, Map<String, String> summary) {
    long sequenceNumber = tx.table().snapshot(current).sequenceNumber();
    tx.updateProperties()
        .set(RecordPointer.PROPERTY, new RecordPointer(current, sequenceNumber, summary).toJson())
        .commit();
  }

  /**
   * The snapshot to read for a record that names {@code pinned}: that one, or one that a compaction
   * made of it.
   *
   * @throws CommitRefusedException if it is gone and nothing descends from it
   */
  static long readable(Table table, long pinned) {
    return table.snapshot(pinned) != null ? pinned : survivor(table, chain(table), pinned);
  }

  /** The snapshot to append to: the pinned one or the newest that only compactions made of it. */
  private static long base(Table table, List<Snapshot> chain, long pinned) {
    int at = 0;
    while (at < chain.size() && chain.get(at).snapshotId() != pinned) {
      at++;
    }
    if (at == chain.size()) {
      // Another job took it back: it is made current again. Or only compactions can be seen, since
      // what was between was expired: they were for nothing, and the next do the same again.
      return readable(table, pinned);
    }
    refuseForeign(table, chain.subList(0, at));
    while (at > 0 && !isOwn(chain.get(at - 1))) {
      at--;
    }
    return chain.get(at).snapshotId();
  }

  /** Finds what remains of an expired snapshot. */
  private static long survivor(Table table, List<Snapshot> chain, long pinned) {
    Long kept = KeptTombstones.of(table, pinned);
    if (kept != null) {
      return kept;
    }
    refuseForeign(table, chain);
    int lowestOwn = -1;
    for (int i = 0; i < chain.size(); i++) {
      lowestOwn = isOwn(chain.get(i)) ? i : lowestOwn;
    }
    if (lowestOwn < 0 && !chain.isEmpty() && isPointedAtBelow(table, chain, pinned)) {
      return chain.get(0).snapshotId();
    }
    if (lowestOwn >= 0
        && lowestOwn + 1 < chain.size()
        && Long.toString(pinned).equals(buildsOn(chain.get(lowestOwn)))) {
      return chain.get(lowestOwn + 1).snapshotId();
    }
    throw gone(
        table.name(),
        pinned,
        "its current snapshot "
            + (chain.isEmpty() ? NOTHING : Long.toString(chain.get(0).snapshotId()))
            + " does not descend from it");
  }

  static CommitRefusedException gone(String table, long pinned, String found) {
    return new CommitRefusedException(
        "The tombstones that belong to the last commit are gone: snapshot "
            + pinned
            + " of "
            + table
            + " was expired, and "
            + found
            + ". Where Kafka still has the whole log, ./tidemark verify -c FILE --repair compares"
            + " what is there with it and brings back what is missing; otherwise roll the tombstone"
            + " table back to that snapshot, or build the table anew");
  }

  /**
   * Without a pinned snapshot no tombstone counts. Whose they are does not matter: a compaction of
   * ours, whose own snapshots were expired, looks like the first of somebody else.
   */
  private static void clear(Transaction tx, Table table, List<Snapshot> chain, String commitId) {
    refuseForeign(table, chain);
    if (!chain.isEmpty()) {
      tx.newDelete()
          .deleteFromRowFilter(Expressions.alwaysTrue())
          .set(RecordCodec.COMMIT_ID, commitId)
          .set(RecordCodec.PARTIAL, "true")
          .commit();
    }
  }

  /**
   * The files of a snapshot in which every tombstone is forgotten. Their partition tells; a file
   * that somebody wrote across days stays as long as one of its tombstones counts.
   */
  private static List<DataFile> forgotten(Table table, long snapshot, long before) {
    List<DataFile> files = new ArrayList<>();
    if (before == Retention.NONE) {
      return files;
    }
    Expression old = Expressions.lessThan(AddedColumns.SOURCE_TS, before);
    try (CloseableIterable<FileScanTask> tasks =
        table.newScan().useSnapshot(snapshot).filter(old).planFiles()) {
      for (FileScanTask task : tasks) {
        if (task.residual().op() == Expression.Operation.TRUE) {
          files.add(task.file());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The files of " + table.name() + " could not be listed", e);
    }
    return files;
  }

  private static void drop(Transaction tx, List<DataFile> files, Map<String, String> summary) {
    if (files.isEmpty()) {
      return;
    }
    DeleteFiles delete = tx.newDelete();
    files.forEach(delete::deleteFile);
    summary.forEach(delete::set);
    delete.set(RecordCodec.PARTIAL, "true");
    delete.validateWith(
        new StillThere(
            newestOwn(chain(tx.table())), summary.getOrDefault(RecordCodec.COMMIT_ID, "")));
    delete.commit();
  }

  private static @Nullable Snapshot committed(Table table, @Nullable Long pinned, String commitId) {
    Map<String, String> wanted = summary(pinned, commitId);
    for (Snapshot snapshot : table.snapshots()) {
      if (RecordCodec.isRecord(OwnHistory.summary(snapshot))
          && OwnHistory.summary(snapshot).entrySet().containsAll(wanted.entrySet())) {
        return snapshot;
      }
    }
    return null;
  }

  private static boolean tops(List<Snapshot> chain, long id) {
    for (Snapshot snapshot : chain) {
      if (snapshot.snapshotId() == id) {
        return true;
      }
      if (isOwn(snapshot)) {
        return false;
      }
    }
    return false;
  }

  private static Map<String, String> summary(@Nullable Long pinned, String commitId) {
    Map<String, String> summary = new TreeMap<>();
    summary.put(RecordCodec.COMMIT_ID, commitId);
    summary.put(RecordCodec.TOMBSTONE_SNAPSHOT, pinned == null ? NOTHING : Long.toString(pinned));
    return summary;
  }

  private static void refuseForeign(Table table, List<Snapshot> snapshots) {
    for (Snapshot snapshot : snapshots) {
      if (!isOwn(snapshot) && !OwnHistory.isHarmless(snapshot)) {
        throw new ForeignWriteException(
            "Somebody else wrote to "
                + table.name()
                + ": "
                + OwnHistory.describe(snapshot)
                + ". Stop that writer. Where Kafka still has the whole log, ./tidemark verify -c FILE"
                + " --repair brings back what is missing and accepts the rest; otherwise roll that table"
                + " back to the snapshot before. Then run again");
      }
    }
  }

  private static @Nullable Long newestOwn(List<Snapshot> chain) {
    return chain.stream()
        .filter(TombstoneLog::isOwn)
        .findFirst()
        .map(Snapshot::snapshotId)
        .orElse(null);
  }

  private static boolean isOwn(Snapshot snapshot) {
    return OwnHistory.summary(snapshot).containsKey(RecordCodec.COMMIT_ID);
  }

  private static @Nullable String buildsOn(Snapshot snapshot) {
    return OwnHistory.summary(snapshot).get(RecordCodec.TOMBSTONE_SNAPSHOT);
  }

  /** Whether it is the newest that was written, and none of the chain is older: rolled back. */
  private static boolean isPointedAtBelow(Table table, List<Snapshot> chain, long pinned) {
    String property = table.properties().get(RecordPointer.PROPERTY);
    if (property == null) {
      return false;
    }
    RecordPointer pointer = RecordPointer.parse(property);
    return pointer.snapshotId() == pinned
        && pointer.sequenceNumber() <= chain.get(chain.size() - 1).sequenceNumber();
  }

  private static List<Snapshot> chain(Table table) {
    List<Snapshot> chain = new ArrayList<>();
    SnapshotUtil.currentAncestors(table).forEach(chain::add);
    return chain;
  }

  /** Nobody appended tombstones in between, and ours are not there yet. */
  private static final class StillThere implements SnapshotAncestryValidator {
    private final @Nullable Long expected;
    private final String commitId;

    private StillThere(@Nullable Long expected, String commitId) {
      this.expected = expected;
      this.commitId = commitId;
    }

    @Override
    public boolean validate(Iterable<Snapshot> ancestry) {
      List<Snapshot> chain = new ArrayList<>();
      ancestry.forEach(chain::add);
      for (Snapshot snapshot : chain) {
        if (RecordCodec.isRecord(OwnHistory.summary(snapshot))
            && commitId.equals(OwnHistory.summary(snapshot).get(RecordCodec.COMMIT_ID))) {
          throw new CommitStateUnknownException(
              "The tombstones of commit " + commitId + " are in the table already",
              new IllegalStateException());
        }
      }
      return Objects.equals(newestOwn(chain), expected);
    }

    @Override
    public String errorMessage() {
      return "expected snapshot " + expected + " below the tombstones of commit " + commitId;
    }
  }
}
