package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** Days since 1970-01-01: {@code io.debezium.time.Date} and Connect's own. */
final class DateConverter extends IntConverter {
  /** 24 November 4714 BC, the first day of PostgreSQL, and below the first of all others. */
  static final int FIRST_DAY = -2_440_588;

  @Override
  int value(JsonParser in) throws Problem, IOException {
    return refuseInfinite(integer(in));
  }

  static int refuseInfinite(int days) throws Unrepresentable {
    // Debezium runs PostgreSQL's infinities through 32-bit days, where they wrap to such days.
    if (days < FIRST_DAY) {
      throw new Unrepresentable("a date before 4713 BC, as which Debezium writes an infinite date");
    }
    return days;
  }
}
