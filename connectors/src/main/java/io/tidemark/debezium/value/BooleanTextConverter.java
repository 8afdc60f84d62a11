package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** Text as it was sent, and booleans as the texts that PostgreSQL casts them to. */
final class BooleanTextConverter extends ValueConverter {

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setString(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private static String value(JsonParser in) throws Problem, IOException {
    JsonToken token = in.currentToken();
    return token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE
        ? token.asString()
        : text(in, "a string or a boolean");
  }
}
