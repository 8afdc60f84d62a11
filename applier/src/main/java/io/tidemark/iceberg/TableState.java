package io.tidemark.iceberg;

/** What a start finds in the place of a table. */
public enum TableState {
  /** There is no such table. */
  ABSENT,
  /** It has columns and no snapshot. */
  EMPTY,
  /** Its history, or the pointer that outlives it, holds an own record. */
  HAS_RECORD,
  /** It has snapshots, none of them own. */
  ROWS_WITHOUT_RECORD
}
