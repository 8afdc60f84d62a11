package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.math.BigDecimal;

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
    BigDecimal number = reader.read(in);
    return (canonical ? number.stripTrailingZeros() : number).toPlainString();
  }
}
