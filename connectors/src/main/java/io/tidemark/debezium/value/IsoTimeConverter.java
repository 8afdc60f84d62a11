package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/**
 * ISO 8601 text of a time of day or of a timestamp without zone, a {@code Z} after it: {@code
 * io.debezium.time.IsoTime} and {@code IsoTimestamp}.
 */
final class IsoTimeConverter extends LongConverter {
  private final boolean ofDay;

  /**
   * Makes one.
   *
   * @param ofDay whether the text has no date
   */
  IsoTimeConverter(boolean ofDay) {
    this.ofDay = ofDay;
  }

  @Override
  long value(JsonParser in) throws Problem, IOException {
    String form = ofDay ? IsoText.TIME : IsoText.TIMESTAMP;
    String text = text(in, form);
    if (text.equals("infinity") || text.equals("-infinity")) {
      throw new Unrepresentable("an infinite timestamp");
    }
    IsoText iso = new IsoText(text, form);
    // PostgreSQL's infinities come as the time that stands for them in microseconds.
    return ofDay
        ? TimeConverter.ofDay(iso.microsOfDay())
        : TimestampConverter.refuseInfinite(iso.localMicros());
  }
}
