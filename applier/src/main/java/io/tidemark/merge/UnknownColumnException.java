package io.tidemark.merge;

import io.tidemark.change.SourceOffset;
import org.jspecify.annotations.Nullable;

/** A row of which no change that was seen tells a column, where that is refused. */
public final class UnknownColumnException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the column and the record.
   *
   * @param at the record that leaves the column out; null if it was read by an earlier run
   * @param offset of that record
   * @param insert whether it made the row anew
   */
  UnknownColumnException(@Nullable SourceOffset at, long offset, String column, boolean insert) {
    super(
        (at == null ? "The row whose change has offset " + offset : at.toString())
            + ": column "
            + column
            + ": the source left its value out (TOAST), "
            + (insert
                ? "and the row is new: a changed key leaves its large values under the old key"
                : "and no change since the row was made tells it")
            + ". Set REPLICA IDENTITY FULL on the source table and update the row; to go on with"
            + " null in the column, which _kept then marks as unknown, set unknown-values: 'null' in"
            + " the route; if the text is the user's own, set unavailable-value");
  }
}
