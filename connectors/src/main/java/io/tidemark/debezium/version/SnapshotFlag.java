package io.tidemark.debezium.version;

import org.jspecify.annotations.Nullable;

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
  INCREMENTAL;

  /**
   * What it says of an event. Only {@code r} is a row that a snapshot read. A change that claims to
   * be a snapshot's is still a change: a connector that starts again from an offset stored in a
   * snapshot may call all that it streams then the snapshot's, as Debezium's MariaDB connector
   * 3.5.0 was seen to do. Rows of snapshots that MySQL's connector sent as {@code c} before
   * Debezium 2.0 ({@code snapshot.events.as.inserts}) are ranked right as changes, too: in a binlog
   * a snapshot's own position is its place.
   *
   * @param op the event's; null if it does not say
   */
  public SnapshotFlag under(@Nullable String op) {
    if (!"r".equals(op)) {
      return NONE;
    }
    return this == INCREMENTAL ? INCREMENTAL : WHOLE;
  }
}
