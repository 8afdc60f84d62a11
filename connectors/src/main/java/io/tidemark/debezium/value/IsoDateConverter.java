package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;

/** ISO 8601 text of a day, a {@code Z} after it: {@code io.debezium.time.IsoDate}. */
final class IsoDateConverter extends IntConverter {

  @Override
  int value(JsonParser in) throws Problem, IOException {
    // IsoDate writes PostgreSQL's infinities as days too, those of DateConverter.
    return DateConverter.refuseInfinite(new IsoText(text(in, IsoText.DATE), IsoText.DATE).days());
  }
}
