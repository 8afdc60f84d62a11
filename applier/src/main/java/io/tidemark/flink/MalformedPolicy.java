package io.tidemark.flink;

/** What happens to a record that cannot be decoded. */
public enum MalformedPolicy {
  /** The job stops; no offset behind the record is ever recorded. */
  FAIL,
  /** The record goes to the dead-letter output, with the reason, and reading goes on. */
  DEAD_LETTER,
  /** Reading goes on; the record is counted and logged. */
  SKIP
}
