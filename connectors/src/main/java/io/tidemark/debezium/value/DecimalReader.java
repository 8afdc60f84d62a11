package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * Exact numbers in all forms that JSON messages have for them: base64 of the unscaled number, text,
 * a JSON number, or {@code {"scale", "value"}}. Which a string is must be known; the others show
 * it.
 */
final class DecimalReader {
  /** PostgreSQL's numbers have up to 131,072 digits before the point and 16,383 after. */
  private static final int MAX_DIGITS = 150_000;

  private static final int LONG_BYTES = 8;

  private final boolean stringsAreText;
  private final int scale;

  private DecimalReader(boolean stringsAreText, int scale) {
    this.stringsAreText = stringsAreText;
    this.scale = scale;
  }

  /** Reads strings as base64 of unscaled numbers of this scale. */
  static DecimalReader ofBase64(int scale) {
    return new DecimalReader(false, scale);
  }

  /** Reads strings as decimal text. */
  static DecimalReader ofText() {
    return new DecimalReader(true, 0);
  }

  /**
   * The number at the current token.
   *
   * @throws Unrepresentable for {@code NaN} and infinities
   */
  BigDecimal read(JsonParser in) throws Problem, IOException {
    return switch (in.currentToken()) {
      case VALUE_STRING -> stringsAreText ? fromText(in.getText()) : bounded(unscaled(in, scale));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> bounded(in.getDecimalValue());
      case START_OBJECT -> variable(in);
      default -> throw JsonInput.unexpected("a decimal number", in);
    };
  }

  /**
   * The standard name of a value that is no number; the empty string if {@code text} is none such.
   */
  static String specialName(String text) {
    return switch (text) {
      case "NAN", "NaN" -> "NaN";
      case "POSITIVE_INFINITY", "Infinity" -> "Infinity";
      case "NEGATIVE_INFINITY", "-Infinity" -> "-Infinity";
      default -> "";
    };
  }

  static BigDecimal fromText(String text) throws Problem {
    String special = specialName(text);
    if (!special.isEmpty()) {
      throw new Unrepresentable("a decimal that is " + special);
    }
    if (text.length() > 2 * MAX_DIGITS) {
      throw new Problem("expected a decimal number as text, found too long a string");
    }
    try {
      return bounded(new BigDecimal(text));
    } catch (NumberFormatException otherText) {
      throw new Problem("expected a decimal number as text, found a string of another form");
    }
  }

  private static BigDecimal unscaled(JsonParser in, int scale) throws Problem, IOException {
    byte[] bytes = ValueConverter.base64(in, "a decimal number as base64");
    if (bytes.length == 0 || bytes.length > MAX_DIGITS) {
      throw new Problem("expected a decimal number as base64, found " + bytes.length + " bytes");
    }
    if (bytes.length > LONG_BYTES) {
      return new BigDecimal(new BigInteger(bytes), scale);
    }
    long number = bytes[0];
    for (int i = 1; i < bytes.length; i++) {
      number = number << 8 | (bytes[i] & 0xff);
    }
    return BigDecimal.valueOf(number, scale);
  }

  private static BigDecimal variable(JsonParser in) throws Problem, IOException {
    boolean scaleSeen = false;
    int scale = 0;
    BigDecimal number = null;
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      if (name.equals("scale") && !scaleSeen) {
        scale = IntConverter.integer(in);
        scaleSeen = true;
      } else if (name.equals("value") && number == null) {
        number = unscaled(in, 0);
      } else {
        throw variableProblem();
      }
    }
    if (!scaleSeen || number == null) {
      throw variableProblem();
    }
    return bounded(new BigDecimal(number.unscaledValue(), scale));
  }

  private static Problem variableProblem() {
    return new Problem(
        "expected a decimal number as an object of scale and value, found an object of other fields");
  }

  /** Keeps a short text of a giant number from filling the memory once it is written out. */
  private static BigDecimal bounded(BigDecimal number) throws Problem {
    if (Math.abs((long) number.scale()) > MAX_DIGITS) {
      throw new Problem("expected a decimal number, found one of more than 150000 digits");
    }
    return number;
  }
}
