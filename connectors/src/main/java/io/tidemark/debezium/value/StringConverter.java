package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** Text as it was sent. */
final class StringConverter extends ValueConverter {

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setString(column, text(in, "a string"));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return text(in, "a string");
  }
}
