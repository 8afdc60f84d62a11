package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** Times of day: numbers since midnight, in one of three units. */
final class TimeConverter extends LongConverter {
  private static final long DAY_MICROS = 86_400_000_000L;

  private final Unit unit;

  TimeConverter(Unit unit) {
    this.unit = unit;
  }

  @Override
  long value(JsonParser in) throws Problem, IOException {
    return ofDay(unit.toMicros(integer(in)));
  }

  /**
   * The same number of microseconds, if it is a time of day.
   *
   * @throws Unrepresentable if not
   */
  static long ofDay(long micros) throws Unrepresentable {
    if (micros == DAY_MICROS) {
      throw new Unrepresentable("the time 24:00, which no time column can hold");
    }
    if (micros < 0 || micros > DAY_MICROS) {
      throw new Unrepresentable("a time outside 00:00 to 24:00");
    }
    return micros;
  }
}
