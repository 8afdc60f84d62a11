package io.tidemark.oracle;

import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * How many live rows there are, and the digest of their versions, as ADR 18 says that a record has
 * them: the sum, modulo 2^64, of one number for each row. That number begins at zero and takes the
 * parts of the version but the offset, from left to right: each is added, and the sum goes through
 * SplitMix64, which is the JDK's {@link SplittableRandom}.
 */
final class RowCount {
  private static final String ROWS = "tidemark.rows";
  private static final String DIGEST = "tidemark.rows-digest";
  private static final OracleVersion UNVERSIONED = new OracleVersion(0, 0, 0, 0, 0, 0);

  private long rows;
  private long digest;

  /** Takes one more row. */
  void add(OracleVersion version) {
    long number = 0;
    for (long part :
        new long[] {
          version.epoch(), version.p1(), version.p2(), version.p3(), (long) version.phase()
        }) {
      number = new SplittableRandom(number + part).nextLong();
    }
    rows++;
    digest += number;
  }

  /** Takes one more row, that no change wrote. */
  void addUnversioned() {
    add(UNVERSIONED);
  }

  /** The part of a record that says how many rows there are; empty if none does. */
  static Map<String, String> of(Map<String, String> summary) {
    return isIn(summary)
        ? Map.of(ROWS, summary.get(ROWS), DIGEST, summary.getOrDefault(DIGEST, ""))
        : Map.of();
  }

  /** Whether a record says how many rows there are. */
  static boolean isIn(Map<String, String> summary) {
    return summary.containsKey(ROWS);
  }

  /**
   * What is different from what a record says.
   *
   * @return null if nothing is, or the record does not say
   */
  @Nullable String difference(Map<String, String> summary) {
    if (!isIn(summary)) {
      return null;
    }
    String found = rows + " (versions " + "%016x".formatted(digest) + ")";
    String recorded = summary.get(ROWS) + " (versions " + summary.get(DIGEST) + ")";
    return found.equals(recorded)
        ? null
        : "its record counts " + recorded + " live rows, there are " + found;
  }
}
