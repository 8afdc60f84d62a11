package io.tidemark.merge;

import io.tidemark.change.Change;
import io.tidemark.change.Join;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RemovedRow;
import io.tidemark.commit.Retention;
import io.tidemark.failure.BadEventException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins the changes of many keys and keeps one winner per key until the batch is flushed.
 *
 * <p>Marks move only at a flush: until then the winners are the knowledge, and they are flushed at
 * every checkpoint barrier. So the marks in a checkpoint are exactly what the files written up to
 * that checkpoint say. Not thread-safe.
 */
public final class Gate {
  private static final int PENDING_OVERHEAD_BYTES = 300;

  private final MarkStore marks;
  private final Placement placement;
  private final long budgetBytes;
  private final @Nullable KeptRows rows;
  private final Map<PrimaryKey, Pending> pending = new HashMap<>();
  private long horizonMicros = Retention.NONE;
  private long pendingBytes;
  private long superseded;
  private long duplicates;
  private boolean keeping;

  /**
   * A gate with nothing pending.
   *
   * @param budgetBytes how many bytes of winners may wait before the batch should be flushed; above
   *     0
   * @param rows where the values come from that a source leaves out; null if nobody wants to see
   *     the rows of the winners
   */
  public Gate(MarkStore marks, Placement placement, long budgetBytes, @Nullable KeptRows rows) {
    if (budgetBytes <= 0) {
      throw new IllegalArgumentException("budgetBytes must be above 0, got " + budgetBytes);
    }
    this.marks = marks;
    this.placement = placement;
    this.budgetBytes = budgetBytes;
    this.rows = rows;
  }

  /**
   * Moves the horizon. A change from before it, of a key of which nothing is known so far back,
   * cannot be judged: the key may have been deleted since, and the delete forgotten.
   *
   * @param micros source time, microseconds since the epoch
   */
  public void moveHorizon(long micros) {
    horizonMicros = micros;
  }

  /**
   * Joins one change with what is known of its key.
   *
   * @return false if the change comes from before the horizon and cannot be judged: nothing was
   *     done with it
   * @throws BadEventException if rows exchanged their keys, so that the last change of a key says
   *     nothing of its row
   */
  public boolean offer(Change change) {
    Pending waiting = pending.get(change.key());
    Mark known = waiting == null ? marks.get(change.key()) : null;
    if (change.sourceTimeMicros() < horizonMicros && isBeyondMemory(waiting, known, change)) {
      if (change.kind() == Kind.UPSERT) {
        return false;
      }
      // There is nothing to delete. Nor may it be remembered: a forgotten delete of the key may be
      // higher, and what is made of this one would let pass what lies between the two.
      superseded++;
      return true;
    }
    refuseExchange(waiting, known, change);
    keeping |= change.unsent() != null;
    if (waiting != null) {
      long bytes = waiting.bytes();
      count(waiting.offer(change));
      pendingBytes += waiting.bytes() - bytes;
      return true;
    }
    Join.Verdict verdict = Join.decide(known, change);
    count(verdict);
    if (verdict == Join.Verdict.APPLY) {
      add(change.key(), new Pending(change, known));
    } else if (known != null && verdict == Join.Verdict.DUPLICATE) {
      learn(change, known);
    } else if (known != null && !known.kept().isEmpty() && Pending.fills(known.kept(), change)) {
      keeping = true;
      add(change.key(), new Pending(known, change));
    }
    return true;
  }

  /**
   * Whether a delete of the key that nobody remembers may lie above a change. A delete is forgotten
   * only where it stood, so the key is unknown after it, and of the row that comes then nobody
   * knows a column that was never told: all else that is known of a key is newer than that delete.
   */
  private static boolean isBeyondMemory(
      @Nullable Pending waiting, @Nullable Mark known, Change change) {
    if (waiting != null) {
      return waiting.decide(change) == Join.Verdict.SUPERSEDED
          && Pending.tellsTheUntold(waiting.kept(), change);
    }
    return known == null
        || (Join.decide(known, change) == Join.Verdict.SUPERSEDED
            && Pending.tellsTheUntold(known.kept(), change));
  }

  /**
   * Nothing that was written is wrong yet: the row that stands is right. What would be is the
   * delete, and whatever order the change came in, the higher version is the delete's.
   */
  private static void refuseExchange(
      @Nullable Pending waiting, @Nullable Mark known, Change change) {
    RemovedRow removed = change.removed();
    if (removed == null) {
      return;
    }
    boolean exchanged =
        waiting != null
            ? waiting.isNotThatOf(change)
            : known != null
                && known.kept().isEmpty()
                && RemovedRow.isOfAnother(
                    change, known.version(), known.live(), known.contentHash());
    if (exchanged) {
      throw new BadEventException(
          removed.at(),
          "op d: the row in before is not the one that the same transaction put under this key: rows"
              + " exchanged their keys (such as SET id = id + 1), and a fold by key would lose this"
              + " one. Set before: key in the route to go on as the changes come, then have the"
              + " table's rows read again by an incremental snapshot, which puts them right");
    }
  }

  /** Whether the source is known to leave out columns. */
  public boolean isKeeping() {
    return keeping;
  }

  /** From now on large rows are kept, as they are once the source has left out a column. */
  public void keep() {
    keeping = true;
  }

  /** Whether the winners have outgrown their memory budget. */
  public boolean isFull() {
    return pendingBytes > budgetBytes;
  }

  /** Whether nothing waits. */
  public boolean isEmpty() {
    return pending.isEmpty();
  }

  /**
   * Ends the batch: moves the marks to the winners and hands the winners over.
   *
   * @return one winner per key that changed, in no order
   * @throws IOException if a row that a value is kept from cannot be read
   * @throws UnknownColumnException if no change told a column, and that is refused
   */
  public List<Winner> flush() throws IOException {
    Map<PrimaryKey, StoredRow> written = keeping && rows != null ? written(rows) : Map.of();
    List<Winner> winners = new ArrayList<>(pending.size());
    for (Map.Entry<PrimaryKey, Pending> entry : pending.entrySet()) {
      Pending waiting = entry.getValue();
      if (waiting.isWhole()) {
        Change change = waiting.change();
        winners.add(new Winner(change, replaced(waiting)));
        conclude(waiting, change, markOf(change));
      } else {
        put(entry.getKey(), waiting, written.get(entry.getKey()), winners);
      }
    }
    pending.clear();
    pendingBytes = 0;
    return winners;
  }

  /** The rows that values are kept from: from the store, and at once all others. */
  private Map<PrimaryKey, StoredRow> written(KeptRows from) throws IOException {
    Map<PrimaryKey, StoredRow> found = new HashMap<>();
    List<RowSource.Wanted> others = new ArrayList<>();
    for (Map.Entry<PrimaryKey, Pending> entry : pending.entrySet()) {
      Pending waiting = entry.getValue();
      Mark before = waiting.before();
      if (before != null && !waiting.isWhole() && waiting.needsRow()) {
        StoredRow row = from.store().get(entry.getKey());
        if (row != null && row.isOf(before)) {
          found.put(entry.getKey(), row);
        } else {
          others.add(new RowSource.Wanted(entry.getKey(), before, waiting.keyColumns()));
        }
      }
    }
    if (!others.isEmpty()) {
      found.putAll(from.source().read(others));
    }
    return found;
  }

  private void put(
      PrimaryKey key, Pending waiting, @Nullable StoredRow stored, List<Winner> winners) {
    if (rows == null) {
      Change any = new Change(key, Kind.UPSERT, waiting.version(), 0, waiting.keyColumns());
      winners.add(new Winner(any, replaced(waiting), waiting.kept()));
      conclude(waiting, any, mark(waiting, any));
      return;
    }
    if (rows.refuseUnknown()) {
      waiting.refuseUnknown();
    }
    Change whole = waiting.whole(key, stored, rows.splice());
    if (!waiting.isAsBefore(whole, stored)) {
      winners.add(new Winner(whole, replaced(waiting), waiting.kept()));
    }
    conclude(waiting, whole, mark(waiting, whole));
  }

  private static @Nullable Mark replaced(Pending waiting) {
    Mark before = waiting.before();
    return before != null && before.live() ? before : null;
  }

  private void conclude(Pending waiting, Change whole, Mark mark) {
    marks.put(whole.key(), mark);
    Mark before = waiting.before();
    if (rows == null) {
      return;
    }
    // A row with columns of older changes is kept whatever its size: the next one leaves them out.
    if (!mark.kept().isEmpty()
        || (keeping && mark.live() && whole.row().length >= rows.keepFrom())) {
      rows.store()
          .put(
              whole.key(),
              new StoredRow(
                  mark.version(), mark.contentHash(), whole.sourceTimeMicros(), whole.row()));
    } else if (before != null && before.live() && (keeping || !before.kept().isEmpty())) {
      rows.store().remove(whole.key());
    }
  }

  /** How many changes lost against a higher version. */
  public long superseded() {
    return superseded;
  }

  /** How many changes were copies of what stood. */
  public long duplicates() {
    return duplicates;
  }

  private Mark markOf(Change change) {
    return switch (change.kind()) {
      case DELETE -> Mark.deleted(change.version(), change.sourceTimeMicros());
      case UPSERT ->
          new Mark(
              change.version(), change.kind(), change.contentHash(), placement.of(change.row()));
    };
  }

  private Mark mark(Pending waiting, Change whole) {
    return new Mark(
        whole.version(),
        Kind.UPSERT,
        waiting.contentHash(),
        placement.of(whole.row()),
        waiting.kept());
  }

  private void add(PrimaryKey key, Pending row) {
    pending.put(key, row);
    pendingBytes += PENDING_OVERHEAD_BYTES + row.bytes() + key.bytes().length;
  }

  /**
   * A copy writes nothing, but its offset counts, and so does its content where it was unknown. A
   * row with kept columns that is not at hand is looked for by its version: its offset stays.
   */
  private void learn(Change copy, Mark known) {
    boolean later = copy.version().compareTo(known.version()) > 0;
    if (later && !known.kept().isEmpty() && !isStored(copy.key(), known)) {
      return;
    }
    if (later || known.contentHash() == Change.UNKNOWN_CONTENT) {
      marks.put(
          copy.key(),
          new Mark(
              later ? copy.version() : known.version(),
              known.kind(),
              copy.contentHash(),
              known.partitionValues(),
              known.kept(),
              known.deletedAtMicros()));
    }
  }

  /** Whether the row would still be known as the mark's by its content, whatever the offset. */
  private boolean isStored(PrimaryKey key, Mark mark) {
    StoredRow row = rows == null ? null : rows.store().get(key);
    return row != null && row.isOf(mark) && row.contentHash() == mark.contentHash();
  }

  private void count(Join.Verdict verdict) {
    if (verdict == Join.Verdict.SUPERSEDED) {
      superseded++;
    } else if (verdict == Join.Verdict.DUPLICATE) {
      duplicates++;
    }
  }
}
