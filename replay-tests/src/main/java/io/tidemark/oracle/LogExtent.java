package io.tidemark.oracle;

/**
 * How much of its log a table can still be compared with.
 *
 * @param lostBelow records below this offset may be gone from some partition; 0 if none is, {@link
 *     Long#MAX_VALUE} if any may be
 * @param lostEpochs records of epochs below this one are gone: they were in another topic
 * @param adopted whether the table had rows before anything was read; they may have no version
 */
public record LogExtent(long lostBelow, int lostEpochs, boolean adopted) {

  /** Everything is there. */
  public static final LogExtent WHOLE = new LogExtent(0, 0, false);

  /** Whether the record that this version was made of may be gone. */
  boolean mayHaveLost(OracleVersion version) {
    return adopted || version.offset() < lostBelow || version.epoch() < lostEpochs;
  }
}
