package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** ISO 8601 text with an offset: {@code io.debezium.time.ZonedTimestamp}. */
final class InstantConverter extends LongConverter {

  @Override
  long value(JsonParser in) throws Problem, IOException {
    String text = text(in, "a timestamp with offset as ISO 8601 text");
    if (text.equals("infinity") || text.equals("-infinity")) {
      throw new Unrepresentable("an infinite timestamp");
    }
    return new IsoInstant(text).micros();
  }
}
