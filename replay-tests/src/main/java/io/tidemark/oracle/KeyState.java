package io.tidemark.oracle;

import java.time.OffsetDateTime;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How one key stands: what the log says of it, and what was found of it in the table. */
final class KeyState {

  private long @Nullable [] prints;
  private OracleVersion version;
  private long[] offsets;
  private Place place;
  private @Nullable OffsetDateTime sourceTime;

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
   */
  KeyState(OracleChange change, long @Nullable [] prints) {
    this.prints = prints;
    this.version = change.version();
    this.offsets = new long[] {change.version().offset()};
    this.place = Place.of(change.event());
    this.sourceTime = change.sourceTime();
  }

  /** The higher version stands; a repetition counts as the same, at another offset. */
  void join(OracleChange change, long @Nullable [] others) {
    boolean higher = change.version().compareTo(version) > 0;
    if (change.version().ties(version) && Arrays.equals(prints, others)) {
      offsets = with(change.version().offset());
    } else if (higher) {
      prints = others;
      offsets = new long[] {change.version().offset()};
    }
    if (higher) {
      version = change.version();
      place = Place.of(change.event());
      sourceTime = change.sourceTime();
    }
  }

  private long[] with(long offset) {
    if (Arrays.binarySearch(offsets, offset) >= 0) {
      return offsets;
    }
    long[] more = Arrays.copyOf(offsets, offsets.length + 1);
    more[offsets.length] = offset;
    Arrays.sort(more);
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
}
