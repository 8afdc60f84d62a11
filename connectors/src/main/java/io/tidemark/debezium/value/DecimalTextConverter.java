package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/**
 * Exact numbers into a string column, as plain decimal text with all the digits that were sent. The
 * values that are no numbers get the names that PostgreSQL has for them.
 */
final class DecimalTextConverter extends ValueConverter {
  private final DecimalReader reader;
  private final boolean stringsAreText;
  private final boolean canonical;

  /**
   * Makes one.
   *
   * @param canonical whether equal numbers must have equal texts, as in a key: trailing zeros go
   */
  DecimalTextConverter(DecimalReader reader, boolean stringsAreText, boolean canonical) {
    this.reader = reader;
    this.stringsAreText = stringsAreText;
    this.canonical = canonical;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setString(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private String value(JsonParser in) throws Problem, IOException {
    if (stringsAreText && in.currentToken() == JsonToken.VALUE_STRING) {
      String special = DecimalReader.specialName(in.getText());
      if (!special.isEmpty()) {
        return special;
      }
    }
    String digits = reader.read(in).toPlainString();
    return canonical ? withoutTrailingZeros(digits) : digits;
  }

  /** Done on the text, since BigDecimal divides by ten as often as there are zeros. */
  private static String withoutTrailingZeros(String digits) {
    int end = digits.length();
    if (digits.indexOf('.') >= 0) {
      while (digits.charAt(end - 1) == '0') {
        end--;
      }
      if (digits.charAt(end - 1) == '.') {
        end--;
      }
    }
    return digits.substring(0, end);
  }
}
