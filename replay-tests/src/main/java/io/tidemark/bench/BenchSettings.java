package io.tidemark.bench;

/**
 * What the benchmark is told.
 *
 * @param events how many changes the topic holds; the tombstone after each delete does not count
 * @param keys how many primary keys the changes are spread over
 * @param seed of everything random
 * @param rounds how often each pipeline drains each topic
 * @param schemas whether each message carries its schema
 * @param marginal whether a topic of a third of the events is drained too, so that the cost of
 *     starting can be taken out
 */
public record BenchSettings(
    int events, int keys, long seed, int rounds, boolean schemas, boolean marginal) {

  static final int MIN_EVENTS = 300;

  public BenchSettings {
    if (events < MIN_EVENTS) {
      throw new IllegalArgumentException(
          "events must be at least " + MIN_EVENTS + ", got " + events);
    }
    if (keys < 1) {
      throw new IllegalArgumentException("keys must be at least 1, got " + keys);
    }
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds must be at least 1, got " + rounds);
    }
  }

  /** How many changes the shorter topic holds. */
  int fewerEvents() {
    return events / 3;
  }
}
