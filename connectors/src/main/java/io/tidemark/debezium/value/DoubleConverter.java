package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** 64-bit floating-point numbers. */
final class DoubleConverter extends ValueConverter {
  private final boolean fromFloat;

  /**
   * Makes one.
   *
   * @param fromFloat whether the source's numbers have 32 bits, whose text must be read as such
   *     before it is widened
   */
  DoubleConverter(boolean fromFloat) {
    this.fromFloat = fromFloat;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setDouble(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private double value(JsonParser in) throws Problem, IOException {
    if (fromFloat) {
      return FloatConverter.value(in);
    }
    if (in.currentToken() == JsonToken.VALUE_STRING) {
      return special(in);
    }
    requireNumber(in);
    double value = in.getDoubleValue();
    if (Double.isInfinite(value)) {
      throw new Problem("expected a 64-bit floating-point number, found a number out of its range");
    }
    return value;
  }

  static void requireNumber(JsonParser in) throws Problem {
    JsonToken token = in.currentToken();
    if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
      throw JsonInput.unexpected("a floating-point number", in);
    }
  }

  /** The values that JSON has no number for, which Kafka Connect writes as strings. */
  static double special(JsonParser in) throws Problem, IOException {
    return switch (in.getText()) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default ->
          throw new Problem(
              "expected a floating-point number, \"NaN\", \"Infinity\" or \"-Infinity\","
                  + " found another string");
    };
  }
}
