package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/**
 * 32-bit integers, and with them narrower ones. A boolean is 1 or 0: MySQL's BOOLEAN is a
 * TINYINT(1), which a snapshot sends as a number and the stream of a table that was created under
 * the connector's eyes as a boolean.
 */
class IntConverter extends ValueConverter {

  /** The column's value for the current token. */
  int value(JsonParser in) throws Problem, IOException {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return token == JsonToken.VALUE_TRUE ? 1 : 0;
    }
    return integer(in);
  }

  @Override
  public final void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setInt(column, value(in));
  }

  @Override
  final Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  static int integer(JsonParser in) throws Problem, IOException {
    require(JsonToken.VALUE_NUMBER_INT, "a 32-bit integer", in);
    if (in.getNumberType() != NumberType.INT) {
      throw new Problem("expected a 32-bit integer, found an integer out of its range");
    }
    return in.getIntValue();
  }
}
