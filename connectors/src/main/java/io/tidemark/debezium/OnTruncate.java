package io.tidemark.debezium;

/** What becomes of a TRUNCATE, which names no rows and stands in no order to other partitions. */
public enum OnTruncate {
  /** The record is malformed. */
  FAIL,
  /** It is passed over: the table keeps the rows. */
  IGNORE
}
