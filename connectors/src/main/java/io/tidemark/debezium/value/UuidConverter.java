package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.util.UUID;

/** UUIDs in their text form of 36 characters. */
final class UuidConverter extends ValueConverter {
  private static final int CHARS = 36;

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setUuid(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private static UUID value(JsonParser in) throws Problem, IOException {
    String text = text(in, "a UUID as text");
    for (int i = 0; i < CHARS && text.length() == CHARS; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? text.charAt(i) != '-' : Character.digit(text.charAt(i), 16) < 0) {
        throw malformed();
      }
    }
    if (text.length() != CHARS) {
      throw malformed();
    }
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException notAscii) {
      throw malformed();
    }
  }

  private static Problem malformed() {
    return new Problem("expected a UUID as text, found a string of another form");
  }
}
