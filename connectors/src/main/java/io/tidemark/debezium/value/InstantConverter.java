package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** ISO 8601 text with an offset: {@code io.debezium.time.ZonedTimestamp}. */
final class InstantConverter extends LongConverter {

  @Override
  long value(JsonParser in) throws Problem, IOException {
    String text = text(in, IsoText.INSTANT);
    if (text.equals("infinity") || text.equals("-infinity")) {
      throw new Unrepresentable("an infinite timestamp");
    }
    return new IsoText(text, IsoText.INSTANT).micros();
  }
}
