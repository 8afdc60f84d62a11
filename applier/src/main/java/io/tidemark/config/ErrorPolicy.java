package io.tidemark.config;

/** What happens to a message that cannot be decoded. */
public enum ErrorPolicy {
  /** The job stops before any later offset is recorded. */
  FAIL,
  /** The raw record goes to a topic, with its reason and position. */
  DEAD_LETTER,
  /** The record is counted and logged by its position, and left out. */
  SKIP
}
