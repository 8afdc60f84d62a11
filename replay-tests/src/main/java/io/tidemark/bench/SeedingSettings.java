package io.tidemark.bench;

/**
 * What the seeding benchmark is told.
 *
 * @param rows live rows of the table; a tenth as many keys are deleted, and a fifth as many updates
 *     are made
 * @param seed of everything random
 */
record SeedingSettings(int rows, long seed) {

  static final int MIN_ROWS = 100;
  private static final int MAX_ROWS = 100_000_000;

  SeedingSettings {
    if (rows < MIN_ROWS || rows > MAX_ROWS) {
      throw new IllegalArgumentException(
          "rows must be %,d to %,d, got %,d".formatted(MIN_ROWS, MAX_ROWS, rows));
    }
  }

  int deletes() {
    return rows / 10;
  }

  int updates() {
    return rows / 5;
  }

  int keys() {
    return rows + deletes();
  }
}
