package io.tidemark.merge;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Join;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.Told;
import io.tidemark.change.Unsent;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One key, from its first change in a batch to the batch's end: the change that stands, and of the
 * columns that it leaves out what decides each.
 *
 * <p>A column's value lies in the change that told it, if that came in this batch, else in the row
 * that was written before. That row is not at hand: it is fetched at the end, if it is needed then.
 */
final class Pending {
  /** Rows that a source leaves columns out of are large; what one has is known when it is there. */
  private static final long ROW_BYTES = 8 << 10;

  private static final SortedMap<String, Part> NO_PARTS = Collections.emptySortedMap();

  /** What was known before the batch; null if the key was never seen. */
  private final @Nullable Mark before;

  private final Change first;

  /** The change that stands; null while it is the one of {@link #before}. */
  private @Nullable Change change;

  /** By name the columns that the standing change does not decide. */
  private SortedMap<String, Part> parts = NO_PARTS;

  /**
   * What decides a column.
   *
   * @param donor the change that told the value; null if it is unknown, or lies in the row that was
   *     written before
   */
  private record Part(Told told, @Nullable Change donor) {}

  /** A key whose first change in this batch stands. */
  Pending(Change change, @Nullable Mark before) {
    this.before = before;
    this.first = change;
    this.parts = change.unsent() == null ? NO_PARTS : partsUnder(change, change.unsent());
    this.change = change;
  }

  /** A key whose row stands, and a lower change that tells some of its columns. */
  Pending(Mark before, Change lower) {
    this.before = before;
    this.first = lower;
    this.parts = new TreeMap<>();
    before.kept().forEach((column, told) -> parts.put(column, new Part(told, null)));
    fill(lower);
  }

  /** Decides what would become of one more change. */
  Join.Verdict decide(Change next) {
    Change standing = change;
    return standing == null ? Join.decide(before, next) : Join.decide(standing, next);
  }

  /** Whether a delete is of another row than the one that stands. */
  boolean isNotThatOf(Change delete) {
    return isWhole()
        && change().unsent() == null
        && RemovedRow.isOfAnother(delete, version(), change().kind() == Kind.UPSERT, contentHash());
  }

  /** Decides what becomes of one more change, and lets it. */
  Join.Verdict offer(Change next) {
    Join.Verdict verdict = decide(next);
    switch (verdict) {
      case APPLY -> {
        parts = next.unsent() == null ? NO_PARTS : partsUnder(next, next.unsent());
        change = next;
      }
      case DUPLICATE -> duplicate(next);
      case SUPERSEDED -> fill(next);
    }
    return verdict;
  }

  /**
   * A later copy of what stands takes its place: same content, and the mark gets its offset. Where
   * the row is older than the batch its mark stays, because the row is going to be looked for by
   * it.
   */
  private void duplicate(Change copy) {
    Change standing = change;
    if (standing != null && copy.version().compareTo(standing.version()) > 0) {
      change = copy;
    }
  }

  /** Whether a change below a row would decide any of its columns. */
  static boolean fills(SortedMap<String, Told> kept, Change lower) {
    for (Map.Entry<String, Told> column : kept.entrySet()) {
      Told told = told(lower, column.getKey());
      if (told != null && told.compareTo(column.getValue()) > 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether a change below a row would decide a column that no change was seen to decide. */
  static boolean tellsTheUntold(SortedMap<String, Told> kept, Change lower) {
    for (Map.Entry<String, Told> column : kept.entrySet()) {
      if (column.getValue().equals(Told.NEVER) && told(lower, column.getKey()) != null) {
        return true;
      }
    }
    return false;
  }

  private void fill(Change lower) {
    for (Map.Entry<String, Part> part : parts.entrySet()) {
      Told told = told(lower, part.getKey());
      if (told != null && told.compareTo(part.getValue().told()) > 0) {
        part.setValue(new Part(told, told.known() ? lower : null));
      }
    }
  }

  /** What a change decides of a column; null if it says nothing of it. */
  private static @Nullable Told told(Change change, String column) {
    Unsent unsent = change.unsent();
    if (change.kind() == Kind.DELETE) {
      return new Told(change.version(), false);
    }
    if (unsent == null || !unsent.columns().contains(column)) {
      return new Told(change.version(), true);
    }
    return unsent.insert() ? new Told(change.version(), false) : null;
  }

  private SortedMap<String, Part> partsUnder(Change next, Unsent unsent) {
    SortedMap<String, Part> under = new TreeMap<>();
    for (String column : unsent.columns()) {
      under.put(
          column,
          unsent.insert() ? new Part(new Told(next.version(), false), null) : standing(column));
    }
    return under;
  }

  /** What decides a column now. */
  private Part standing(String column) {
    Part part = parts.get(column);
    if (part != null) {
      return part;
    }
    Change standing = change;
    if (standing != null) {
      boolean live = standing.kind() == Kind.UPSERT;
      return new Part(new Told(standing.version(), live), live ? standing : null);
    }
    Mark mark = before;
    if (mark == null) {
      return new Part(Told.NEVER, null);
    }
    Told told = mark.kept().get(column);
    return new Part(told != null ? told : new Told(mark.version(), mark.live()), null);
  }

  /** What was known before the batch, or has been learned of it since. */
  @Nullable Mark before() {
    return before;
  }

  /** Whether the standing change has all its columns itself. */
  boolean isWhole() {
    return change != null && parts.isEmpty();
  }

  /** Whether all of this came to no more than what was written before, or copies of it. */
  boolean isAsBefore(Change whole, @Nullable StoredRow stored) {
    if (change != null || stored == null || !Arrays.equals(whole.row(), stored.row())) {
      return false;
    }
    for (Map.Entry<String, Part> part : parts.entrySet()) {
      Told told = known().kept().get(part.getKey());
      if (told == null || !told.ties(part.getValue().told())) {
        return false;
      }
    }
    return true;
  }

  /** About how many bytes the rows have that this holds, and the one that it will need. */
  long bytes() {
    Change standing = change;
    long bytes = standing == null ? 0 : standing.row().length;
    if (parts.isEmpty()) {
      return bytes;
    }
    for (Part part : parts.values()) {
      bytes += part.donor() == null ? 0 : part.donor().row().length;
    }
    return needsRow() ? bytes + ROW_BYTES : bytes;
  }

  /** Whether a value lies in the row that was written before. */
  boolean needsRow() {
    return change == null
        || parts.values().stream().anyMatch(part -> part.told().known() && part.donor() == null);
  }

  /** Any row that has the key's columns. */
  byte[] keyColumns() {
    return first.row();
  }

  /** The version that stands. */
  CommitVersion version() {
    Change standing = change;
    return standing != null ? standing.version() : known().version();
  }

  /** The standing change's hash, without what was kept: copies of it must be known again. */
  long contentHash() {
    Change standing = change;
    return standing != null ? standing.contentHash() : known().contentHash();
  }

  /** By column what decides it, where the standing change does not. */
  SortedMap<String, Told> kept() {
    SortedMap<String, Told> kept = new TreeMap<>();
    parts.forEach((column, part) -> kept.put(column, part.told()));
    return kept;
  }

  /** The standing change, exactly as it came. */
  Change change() {
    Change standing = change;
    if (standing == null) {
      throw new IllegalStateException("The row that stands is older than the batch");
    }
    return standing;
  }

  /**
   * The change with the whole row.
   *
   * @param stored the row that was written before; null if none is needed
   */
  Change whole(PrimaryKey key, @Nullable StoredRow stored, RowSplice splice) {
    Map<String, byte @Nullable []> columns = new TreeMap<>();
    Change standing = change;
    parts.forEach(
        (column, part) -> {
          if (part.donor() != null) {
            columns.put(column, part.donor().row());
          } else if (!part.told().known()) {
            columns.put(column, null);
          } else if (standing != null) {
            columns.put(column, Objects.requireNonNull(stored).row());
          }
        });
    if (standing != null) {
      return new Change(
          key,
          Kind.UPSERT,
          standing.version(),
          standing.sourceTimeMicros(),
          splice.splice(standing.row(), columns));
    }
    StoredRow row = Objects.requireNonNull(stored);
    return new Change(
        key,
        Kind.UPSERT,
        known().version(),
        row.sourceTimeMicros(),
        splice.splice(row.row(), columns));
  }

  /** Refuses a row of which a column is not known. */
  void refuseUnknown() {
    parts.forEach(
        (column, part) -> {
          if (!part.told().known()) {
            Unsent unsent = change == null ? null : change.unsent();
            throw new UnknownColumnException(
                unsent == null ? null : unsent.at(),
                change == null ? known().version().offset() : change.version().offset(),
                column,
                unsent != null && unsent.insert());
          }
        });
  }

  private Mark known() {
    Mark mark = before;
    if (mark == null) {
      throw new IllegalStateException("A key that was never seen has no row that stands");
    }
    return mark;
  }
}
