package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** Numbers since 1970-01-01T00:00:00, in one of three units. */
final class TimestampConverter extends LongConverter {
  // What Debezium's PostgreSQL connector writes for infinite timestamps, in microseconds.
  private static final long POSITIVE_INFINITY = 9_223_372_036_825_200_000L;
  private static final long NEGATIVE_INFINITY = -9_223_372_036_832_400_000L;

  private static final long FIRST_MICROS = DateConverter.FIRST_DAY * 86_400_000_000L;

  private final Unit unit;

  TimestampConverter(Unit unit) {
    this.unit = unit;
  }

  @Override
  long value(JsonParser in) throws Problem, IOException {
    long number = integer(in);
    if (isInfinity(number)) {
      throw new Unrepresentable("an infinite timestamp");
    }
    return refuseWrapped(unit.toMicros(number));
  }

  /** Refuses microseconds as which Debezium writes what has none, in a unit or as text. */
  static long refuseInfinite(long micros) throws Unrepresentable {
    if (micros == POSITIVE_INFINITY || micros == NEGATIVE_INFINITY) {
      throw new Unrepresentable("an infinite timestamp");
    }
    return refuseWrapped(micros);
  }

  private static long refuseWrapped(long micros) throws Unrepresentable {
    // A timestamp past the year 294247 overflows 64-bit microseconds at the source and wraps to
    // here.
    if (micros < FIRST_MICROS) {
      throw new Unrepresentable(
          "a timestamp before 4713 BC, as which Debezium writes one after the year 294247");
    }
    return micros;
  }

  private boolean isInfinity(long number) {
    return switch (unit) {
      case MILLIS -> number == POSITIVE_INFINITY / 1000 || number == NEGATIVE_INFINITY / 1000;
      case MICROS -> number == POSITIVE_INFINITY || number == NEGATIVE_INFINITY;
      case NANOS -> number == Long.MAX_VALUE || number == Long.MIN_VALUE;
    };
  }
}
