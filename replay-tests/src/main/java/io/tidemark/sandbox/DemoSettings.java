package io.tidemark.sandbox;

/**
 * What the demo is told.
 *
 * @param events how many change events there are before the first run, the snapshot's included
 * @param seed of everything random
 */
record DemoSettings(int events, long seed) {

  static final int MIN_EVENTS = 1_000;

  /** The whole topic must fit into memory when it is shuffled. */
  static final int MAX_EVENTS = 100_000;

  DemoSettings {
    if (events < MIN_EVENTS || events > MAX_EVENTS) {
      throw new IllegalArgumentException(
          "events must be in %d..%d, got %d".formatted(MIN_EVENTS, MAX_EVENTS, events));
    }
  }

  /** Rows that are there when Debezium takes its snapshot. */
  int rowsBeforeSnapshot() {
    return events / 10;
  }

  /** Changes after the snapshot. */
  int changes() {
    return events - rowsBeforeSnapshot();
  }

  /** Changes that happen around the kill, at least. */
  int changesAroundKill() {
    return events / 4;
  }
}
