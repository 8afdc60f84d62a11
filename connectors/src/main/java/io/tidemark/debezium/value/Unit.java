package io.tidemark.debezium.value;

import io.tidemark.debezium.json.Problem;

/** What a number of time counts. */
enum Unit {
  MILLIS,
  MICROS,
  NANOS;

  /**
   * The number in microseconds.
   *
   * @throws Unrepresentable if it has digits below the microsecond, or too many above
   */
  long toMicros(long number) throws Problem {
    return switch (this) {
      case MILLIS -> {
        if (number > Long.MAX_VALUE / 1000 || number < Long.MIN_VALUE / 1000) {
          throw new Unrepresentable("a time beyond 64-bit microseconds");
        }
        yield number * 1000;
      }
      case MICROS -> number;
      case NANOS -> {
        if (number % 1000 != 0) {
          throw new Unrepresentable("a time with digits below the microsecond");
        }
        yield number / 1000;
      }
    };
  }
}
