package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How one key stands: what the log says of it, and what was found of it in the table. */
final class KeyState {

  /** Below every version; no change has it. */
  private static final OracleVersion NEVER = new OracleVersion(0, 0, 0, 0, 0, -1);

  private final int columns;
  private long @Nullable [] prints;
  private long @Nullable [] sent;
  private boolean @Nullable [] unsent;
  private boolean fresh;
  private OracleVersion version;

  /** Of the record that stands and its copies, in order. */
  private long[] offsets;

  /** Fingerprints of their source times. */
  private long[] times;

  private Place place;
  private @Nullable OffsetDateTime sourceTime;

  /** By column the change that last decided it; null while that is the one of the version. */
  private OracleVersion @Nullable [] deciding;

  /** Live rows in the table. */
  int rows;

  /** Whether the tombstone table remembers its delete. */
  boolean tombstoned;

  /** Whether the table knows a higher version, whose record the log has lost. */
  boolean lost;

  /**
   * The first change of a key.
   *
   * @param prints of the row's columns; null for a delete
   * @param time fingerprint of its source time
   * @param unsent by column whether the source left it out; null for none
   * @param columns how many there are
   */
  KeyState(
      OracleChange change,
      long @Nullable [] prints,
      long time,
      boolean @Nullable [] unsent,
      int columns) {
    this.columns = columns;
    this.prints = prints;
    this.sent = prints;
    this.unsent = unsent;
    this.fresh = change.fresh();
    this.version = change.version();
    this.offsets = new long[] {change.version().offset()};
    this.times = new long[] {time};
    this.place = Place.of(change.event());
    this.sourceTime = change.sourceTime();
    if (unsent != null && !change.fresh()) {
      OracleVersion[] lowest = new OracleVersion[columns];
      for (int i = 0; i < columns; i++) {
        lowest[i] = unsent[i] ? NEVER : version;
      }
      deciding = lowest;
    }
  }

  /** The higher version stands; a repetition counts as the same, at another offset. */
  void join(OracleChange change, long @Nullable [] others, long time, boolean @Nullable [] left) {
    boolean higher = change.version().compareTo(version) > 0;
    boolean copy =
        change.version().ties(version)
            && Arrays.equals(sent, others)
            && Arrays.equals(unsent, left)
            && (unsent == null || fresh == change.fresh());
    columns(change, others, left, higher);
    if (copy) {
      addCopy(change.version().offset(), time);
    } else if (higher) {
      sent = others;
      unsent = left;
      fresh = change.fresh();
      offsets = new long[] {change.version().offset()};
      times = new long[] {time};
    }
    if (higher) {
      version = change.version();
      place = Place.of(change.event());
      sourceTime = change.sourceTime();
    }
  }

  /** Each column goes to the highest change that says something of it. */
  private void columns(
      OracleChange change, long @Nullable [] others, boolean @Nullable [] left, boolean higher) {
    OracleVersion[] decided = deciding;
    if (decided == null && left == null) {
      prints = higher ? others : prints;
      return;
    }
    if (decided == null) {
      decided = new OracleVersion[columns];
      Arrays.fill(decided, version);
    }
    long[] joined = prints == null ? new long[columns] : prints.clone();
    boolean all = true;
    OracleVersion highest = higher ? change.version() : version;
    for (int i = 0; i < columns; i++) {
      boolean says = left == null || !left[i] || change.fresh();
      if (says && change.version().compareTo(decided[i]) > 0) {
        decided[i] = change.version();
        joined[i] = others == null || (left != null && left[i]) ? 0 : others[i];
      }
      all &= decided[i].equals(highest);
    }
    deciding = all ? null : decided;
    boolean live = higher ? others != null : prints != null;
    prints = live ? joined : null;
  }

  private void addCopy(long offset, long time) {
    int at = Arrays.binarySearch(offsets, offset);
    if (at < 0) {
      offsets = inserted(offsets, -at - 1, offset);
      times = inserted(times, -at - 1, time);
    }
  }

  private static long[] inserted(long[] values, int at, long value) {
    long[] more = Arrays.copyOf(values, values.length + 1);
    System.arraycopy(values, at, more, at + 1, values.length - at);
    more[at] = value;
    return more;
  }

  boolean isLive() {
    return prints != null;
  }

  /** Of the columns that stand; empty if the key is deleted. */
  long[] prints() {
    return prints == null ? new long[0] : prints;
  }

  OracleVersion version() {
    return version;
  }

  /** What last decided a column, as far as the log goes; below every version if nothing did. */
  OracleVersion decided(int column) {
    return deciding == null ? version : deciding[column];
  }

  /** The record that stands. */
  Place place() {
    return place;
  }

  /** Whether it was made before a time; false if that is not known. */
  boolean isBefore(OffsetDateTime time) {
    return sourceTime != null && sourceTime.isBefore(time);
  }

  /** Whether a table may show this version: that of the record that stands, or of a copy of it. */
  boolean allows(OracleVersion shown) {
    return version.ties(shown) && Arrays.binarySearch(offsets, shown.offset()) >= 0;
  }

  /** Fingerprint of the source time that goes with a version that a table {@link #allows}. */
  long time(OracleVersion shown) {
    return times[Arrays.binarySearch(offsets, shown.offset())];
  }
}
