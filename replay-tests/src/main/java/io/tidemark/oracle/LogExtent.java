package io.tidemark.oracle;

/**
 * How much of its log a table can still be compared with.
 *
 * @param lostBelow records below this offset may be gone from some partition; 0 if none is, {@link
 *     Long#MAX_VALUE} if any may be
 */
public record LogExtent(long lostBelow) {

  /** Everything is there. */
  public static final LogExtent WHOLE = new LogExtent(0);

  /** Whether records may be gone at all. */
  public boolean isWhole() {
    return lostBelow == 0;
  }

  /** Whether the record that this version was made of may be gone. */
  boolean mayHaveLost(OracleVersion version) {
    return version.offset() < lostBelow;
  }
}
