package io.tidemark.config;

/** What a deleted row leaves in the table. */
public enum Deletes {
  /** Nothing: an equality delete removes it. */
  EQUALITY,
  /** The row, marked as deleted. */
  SOFT
}
