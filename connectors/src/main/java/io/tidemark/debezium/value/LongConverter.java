package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.RowWriter;
import java.io.IOException;

/** 64-bit integers. */
class LongConverter extends ValueConverter {

  /** The column's value for the current token. */
  long value(JsonParser in) throws Problem, IOException {
    return integer(in);
  }

  @Override
  public final void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setLong(column, value(in));
  }

  @Override
  final Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  static long integer(JsonParser in) throws Problem, IOException {
    require(JsonToken.VALUE_NUMBER_INT, "a 64-bit integer", in);
    if (in.getNumberType() == NumberType.BIG_INTEGER) {
      throw new Problem("expected a 64-bit integer, found an integer out of its range");
    }
    return in.getLongValue();
  }
}
