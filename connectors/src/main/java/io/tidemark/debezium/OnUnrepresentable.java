package io.tidemark.debezium;

/** What becomes of a value that its column's type cannot hold, such as an infinite timestamp. */
public enum OnUnrepresentable {
  /** The record is malformed. */
  FAIL,
  /** The column is null. Never for a key column: there the record is malformed. */
  NULL,
  /** The record is malformed, and a dead letter whatever becomes of other malformed records. */
  DEAD_LETTER
}
