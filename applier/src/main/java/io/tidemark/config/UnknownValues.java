package io.tidemark.config;

/** What becomes of a row of which the source left out a column that no change has told. */
public enum UnknownValues {
  /** The job stops there. */
  FAIL,
  /** The column is null, and {@code _kept} says that it is unknown. */
  NULL
}
