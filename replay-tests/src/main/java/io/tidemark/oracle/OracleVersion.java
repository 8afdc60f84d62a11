package io.tidemark.oracle;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The six numbers that decide between two changes of one key, most significant first.
 *
 * @param phase 1 for a row of a non-incremental snapshot, else 0
 * @param offset the record's Kafka offset
 */
public record OracleVersion(long epoch, long p1, long p2, long p3, int phase, long offset)
    implements Comparable<OracleVersion> {

  /** Of a row that no change wrote. */
  static final OracleVersion BELOW_ALL = new OracleVersion(-1, 0, 0, 0, 0, 0);

  private static final Pattern TEXT =
      Pattern.compile(
          "([0-9a-f]{8})-([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{16})-([01])-([0-9a-f]{16})");

  private static final Comparator<OracleVersion> BY_POSITION =
      Comparator.comparingLong(OracleVersion::epoch)
          .thenComparing(OracleVersion::p1, Long::compareUnsigned)
          .thenComparing(OracleVersion::p2, Long::compareUnsigned)
          .thenComparing(OracleVersion::p3, Long::compareUnsigned)
          .thenComparingInt(OracleVersion::phase);

  /**
   * Reads the form that {@code _commit_version} has in a table.
   *
   * @throws IllegalArgumentException if it has another form
   */
  public static OracleVersion parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("Not a commit version: " + text);
    }
    return new OracleVersion(
        hex(parts.group(1)),
        hex(parts.group(2)),
        hex(parts.group(3)),
        hex(parts.group(4)),
        Integer.parseInt(parts.group(5)),
        hex(parts.group(6)));
  }

  private static long hex(String digits) {
    return Long.parseUnsignedLong(digits, 16);
  }

  /** For people. */
  @Override
  public String toString() {
    return (epoch == 0 ? "" : "epoch " + epoch + ", ")
        + "position "
        + Long.toUnsignedString(p1)
        + "/"
        + Long.toUnsignedString(p2)
        + "/"
        + Long.toUnsignedString(p3)
        + (phase == 0 ? "" : " of a snapshot")
        + ", offset "
        + offset;
  }

  /** Whether only the Kafka offset can tell the two apart. */
  public boolean ties(OracleVersion other) {
    return BY_POSITION.compare(this, other) == 0;
  }

  @Override
  public int compareTo(OracleVersion other) {
    return BY_POSITION.thenComparingLong(OracleVersion::offset).compare(this, other);
  }
}
