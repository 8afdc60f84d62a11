package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;

/** Booleans. */
final class BooleanConverter extends ValueConverter {

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem {
    out.setBoolean(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem {
    return value(in);
  }

  private static boolean value(JsonParser in) throws Problem {
    JsonToken token = in.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw JsonInput.unexpected("a boolean", in);
    }
    return token == JsonToken.VALUE_TRUE;
  }
}
