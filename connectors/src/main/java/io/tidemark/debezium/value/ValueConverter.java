package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/**
 * Turns JSON values of one encoding into values of one column type. {@link Converters} makes them.
 * Not thread-safe: those of a decoder count in one {@link RowBudget}.
 */
public abstract class ValueConverter {

  /** Only the families of this package. */
  ValueConverter() {}

  /**
   * Sets a column to the value that starts at the parser's current token, which is not null, and
   * leaves the parser at the value's last token.
   *
   * @throws Unrepresentable if the type cannot hold the value; the parser may then stand inside it
   * @throws Problem if it is no value of the encoding
   */
  public abstract void convert(JsonParser in, RowWriter out, int column)
      throws Problem, IOException;

  /**
   * The value as the object that {@link io.tidemark.row.ColumnType} names; else as {@link
   * #convert}.
   */
  abstract Object read(JsonParser in) throws Problem, IOException;

  static void require(JsonToken token, String expected, JsonParser in) throws Problem {
    if (in.currentToken() != token) {
      throw JsonInput.unexpected(expected, in);
    }
  }

  /** A string's text, which UTF-8 can hold. */
  static String text(JsonParser in, String expected) throws Problem, IOException {
    require(JsonToken.VALUE_STRING, expected, in);
    String text = in.getText();
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        requirePair(text, i++);
      }
    }
    return text;
  }

  private static void requirePair(String text, int at) throws Problem {
    if (at + 1 >= text.length()
        || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
      throw new Problem("expected Unicode text, found half a surrogate pair");
    }
  }

  static byte[] base64(JsonParser in, String expected) throws Problem, IOException {
    require(JsonToken.VALUE_STRING, expected, in);
    try {
      return in.getBinaryValue();
    } catch (com.fasterxml.jackson.core.JsonParseException notBase64) {
      throw new Problem("expected " + expected + ", found a string that is not base64");
    }
  }
}
