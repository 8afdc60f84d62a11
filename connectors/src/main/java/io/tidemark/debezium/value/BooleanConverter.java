package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** Booleans, and 0 and 1, as which a source may send them too (MySQL's TINYINT(1)). */
final class BooleanConverter extends ValueConverter {

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setBoolean(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private static boolean value(JsonParser in) throws Problem, IOException {
    JsonToken token = in.currentToken();
    if (token == JsonToken.VALUE_NUMBER_INT) {
      int number = IntConverter.integer(in);
      if (number != 0 && number != 1) {
        throw new Unrepresentable("a number that is neither 0 nor 1 in a boolean column");
      }
      return number == 1;
    }
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw JsonInput.unexpected("a boolean", in);
    }
    return token == JsonToken.VALUE_TRUE;
  }
}
