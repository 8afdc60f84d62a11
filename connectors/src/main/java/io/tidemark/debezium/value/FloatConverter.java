package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** 32-bit floating-point numbers. */
final class FloatConverter extends ValueConverter {

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setFloat(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  static float value(JsonParser in) throws Problem, IOException {
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      return (float) DoubleConverter.special(in);
    }
    DoubleConverter.requireNumber(in);
    float value = in.getFloatValue();
    if (Float.isInfinite(value)) {
      throw new Problem("expected a 32-bit floating-point number, found a number out of its range");
    }
    return value;
  }
}
