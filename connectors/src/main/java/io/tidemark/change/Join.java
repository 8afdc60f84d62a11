package io.tidemark.change;

import org.jspecify.annotations.Nullable;

/**
 * The rule: of two changes of one key the one with the higher version stands.
 *
 * <p>The order is total: position first, then the Kafka offset, then the content. Taking the
 * highest of a totally ordered set is associative, commutative and idempotent, and that is why
 * replays, copies and reordering change nothing. Nothing else decides: no operation is stronger
 * than another, and neither arrival nor any timestamp counts.
 *
 * <p>Where a source leaves columns out, each column is joined for itself in the same way: {@link
 * Told}.
 */
public final class Join {
  private Join() {}

  /** What becomes of a change. */
  public enum Verdict {
    /** It is the highest: its content stands. */
    APPLY,
    /**
     * It is what stands already, once more: nothing is written. Its offset may be higher, and then
     * the mark must take it, or a change between the two copies would beat the later one.
     */
    DUPLICATE,
    /** A higher version stands. */
    SUPERSEDED
  }

  /**
   * Decides between what is known of a key and one more change of it.
   *
   * @param mark what is known, a row without version included; null if the key was never seen
   * @param change a change of the same key
   */
  public static Verdict decide(@Nullable Mark mark, Change change) {
    // Without a version even a copy of what the row says must stand: it brings the version.
    if (mark == null || mark.contentHash() == Change.UNVERSIONED_CONTENT) {
      return Verdict.APPLY;
    }
    int byPosition = change.version().comparePosition(mark.version());
    if (byPosition != 0) {
      return byPosition > 0 ? Verdict.APPLY : Verdict.SUPERSEDED;
    }
    int byOffset = Long.compare(change.version().offset(), mark.version().offset());
    if (byOffset == 0 && mark.contentHash() == Change.UNKNOWN_CONTENT) {
      return Verdict.DUPLICATE; // the very record that the table's row was written from
    }
    long hash = change.contentHash();
    if (change.kind() == mark.kind() && hash == mark.contentHash()) {
      return Verdict.DUPLICATE;
    }
    if (byOffset == 0) {
      // Two partitions can hold equal positions at equal offsets. Any fixed choice keeps the rule
      // commutative; the content is all that is left to choose by.
      byOffset = Long.compareUnsigned(hash, mark.contentHash());
    }
    return byOffset > 0 ? Verdict.APPLY : Verdict.SUPERSEDED;
  }

  /**
   * Decides between the change of a key that stands and one more change of it.
   *
   * @param standing the highest change so far, its content still at hand
   */
  public static Verdict decide(Change standing, Change change) {
    int byPosition = change.version().comparePosition(standing.version());
    if (byPosition != 0) {
      return byPosition > 0 ? Verdict.APPLY : Verdict.SUPERSEDED;
    }
    return decide(
        new Mark(standing.version(), standing.kind(), standing.contentHash(), new byte[0]), change);
  }

  /** The higher of two marks of one key. */
  public static Mark highest(Mark a, Mark b) {
    int order = a.version().compareTo(b.version());
    if (order == 0) {
      order = Long.compareUnsigned(a.contentHash(), b.contentHash());
    }
    return order >= 0 ? a : b;
  }
}
