package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** ISO 8601 text of a day, a {@code Z} after it: {@code io.debezium.time.IsoDate}. */
final class IsoDateConverter extends IntConverter {

  @Override
  int value(JsonParser in) throws Problem, IOException {
    String text = text(in, IsoText.DATE);
    if (text.equals("infinity") || text.equals("-infinity")) {
      throw new Unrepresentable("an infinite date");
    }
    return new IsoText(text, IsoText.DATE).days();
  }
}
