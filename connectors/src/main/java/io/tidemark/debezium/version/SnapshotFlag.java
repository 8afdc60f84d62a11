package io.tidemark.debezium.version;

/** What {@code source.snapshot} says. */
public enum SnapshotFlag {
  /**
   * Nothing, {@code false}, or null: a change from the source's log, or a row of which it is
   * unknown.
   */
  NONE,
  /** A row of a snapshot that reads tables as a whole, in any place of it. */
  WHOLE,
  /** A row of an incremental snapshot, which reads in chunks between changes of the log. */
  INCREMENTAL
}
