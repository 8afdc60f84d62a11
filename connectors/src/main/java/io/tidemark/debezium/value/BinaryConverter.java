package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** Bytes as base64, in the order in which they were sent. */
final class BinaryConverter extends ValueConverter {

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setBinary(column, base64(in, "bytes as base64"));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return base64(in, "bytes as base64");
  }
}
