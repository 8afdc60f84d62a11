package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Exact numbers into a decimal column: exactly, or not at all. */
final class DecimalConverter extends ValueConverter {
  private final DecimalReader reader;
  private final ColumnType.Decimal type;

  DecimalConverter(DecimalReader reader, ColumnType.Decimal type) {
    this.reader = reader;
    this.type = type;
  }

  @Override
  public void convert(JsonParser in, RowWriter out, int column) throws Problem, IOException {
    out.setDecimal(column, value(in));
  }

  @Override
  Object read(JsonParser in) throws Problem, IOException {
    return value(in);
  }

  private BigDecimal value(JsonParser in) throws Problem, IOException {
    BigDecimal number = reader.read(in);
    int scale = type.scale();
    if (number.signum() == 0) {
      return BigDecimal.valueOf(0, scale);
    }
    long whole = (long) number.precision() - number.scale();
    if (whole > type.precision() - scale) {
      throw new Unrepresentable(
          "a number with " + whole + " digits before the point, which " + type + " cannot hold");
    }
    // More digits to drop than there are digits: setScale would first build a power of ten that
    // wide.
    if ((long) number.scale() - scale >= number.precision()) {
      throw tooFine(number);
    }
    try {
      return number.setScale(scale, RoundingMode.UNNECESSARY);
    } catch (ArithmeticException inexact) {
      throw tooFine(number);
    }
  }

  private Unrepresentable tooFine(BigDecimal number) {
    return new Unrepresentable(
        "a number with "
            + number.scale()
            + " digits after the point, which "
            + type
            + " cannot hold");
  }
}
