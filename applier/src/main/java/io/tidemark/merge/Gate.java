package io.tidemark.merge;

import io.tidemark.change.Change;
import io.tidemark.change.Join;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.Retention;
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
  private final Map<PrimaryKey, Pending> pending = new HashMap<>();
  private long horizonMicros = Retention.NONE;
  private long pendingBytes;
  private long superseded;
  private long duplicates;

  /**
   * A gate with nothing pending.
   *
   * @param budgetBytes how many bytes of winners may wait before the batch should be flushed; above
   *     0
   */
  public Gate(MarkStore marks, Placement placement, long budgetBytes) {
    if (budgetBytes <= 0) {
      throw new IllegalArgumentException("budgetBytes must be above 0, got " + budgetBytes);
    }
    this.marks = marks;
    this.placement = placement;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Moves the horizon. A change from before it, of a key that is not known, cannot be judged: the
   * key may be a deleted one that was forgotten.
   *
   * @param micros source time, microseconds since the epoch
   */
  public void moveHorizon(long micros) {
    horizonMicros = micros;
  }

  /**
   * Joins one change with what is known of its key.
   *
   * @return false if nothing is known of the key and the change comes from before the horizon:
   *     nothing was done with it
   */
  public boolean offer(Change change) {
    Pending waiting = pending.get(change.key());
    if (waiting != null) {
      Join.Verdict verdict = Join.decide(waiting.change, change);
      count(verdict);
      // A later copy of what stands takes its place: same content, and the mark gets its offset.
      if (verdict == Join.Verdict.APPLY
          || (verdict == Join.Verdict.DUPLICATE
              && change.version().compareTo(waiting.change.version()) > 0)) {
        pendingBytes += change.row().length - waiting.change.row().length;
        waiting.change = change;
      }
      return true;
    }
    Mark known = marks.get(change.key());
    if (known == null && change.sourceTimeMicros() < horizonMicros) {
      if (change.kind() == Kind.UPSERT) {
        return false;
      }
      // There is no row to delete. Nor may a mark be made of it: a forgotten delete of the key may
      // be higher, and the mark would let pass what lies between the two.
      superseded++;
      return true;
    }
    Join.Verdict verdict = Join.decide(known, change);
    count(verdict);
    if (verdict == Join.Verdict.APPLY) {
      pending.put(change.key(), new Pending(change, known));
      pendingBytes += PENDING_OVERHEAD_BYTES + change.row().length + change.key().bytes().length;
    } else if (verdict == Join.Verdict.DUPLICATE && known != null) {
      learn(change, known);
    }
    return true;
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
   */
  public List<Winner> flush() {
    List<Winner> winners = new ArrayList<>(pending.size());
    for (Pending waiting : pending.values()) {
      Change change = waiting.change;
      Mark before = waiting.before;
      winners.add(
          new Winner(change, before != null && before.live() ? before.partitionValues() : null));
      marks.put(change.key(), markOf(change));
    }
    pending.clear();
    pendingBytes = 0;
    return winners;
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

  /** A copy writes nothing, but its offset counts, and so does its content where it was unknown. */
  private void learn(Change copy, Mark known) {
    boolean later = copy.version().compareTo(known.version()) > 0;
    if (later || known.contentHash() == Change.UNKNOWN_CONTENT) {
      marks.put(
          copy.key(),
          new Mark(
              later ? copy.version() : known.version(),
              known.kind(),
              copy.contentHash(),
              known.partitionValues(),
              known.deletedAtMicros()));
    }
  }

  private void count(Join.Verdict verdict) {
    if (verdict == Join.Verdict.SUPERSEDED) {
      superseded++;
    } else if (verdict == Join.Verdict.DUPLICATE) {
      duplicates++;
    }
  }

  private static final class Pending {
    private Change change;
    private final @Nullable Mark before;

    private Pending(Change change, @Nullable Mark before) {
      this.change = change;
      this.before = before;
    }
  }
}
