package io.tidemark.debezium.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.io.NumberInput;
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
  /**
   * How many digits a number may have that is written out in full, and how many characters its
   * text. The longest that PostgreSQL's documentation allows (Numeric Types) has 131,072 digits
   * before the point and 16,383 after.
   */
  static final int MAX_DIGITS = JsonInput.MAX_NUMBER_CHARS;

  /** What a number of so many digits may take: five bytes hold twelve digits. */
  private static final int MAX_BYTES = MAX_DIGITS / 12 * 5;

  private static final int LONG_BYTES = 8;

  private final boolean stringsAreText;
  private final int scale;
  private final RowBudget budget;

  private DecimalReader(boolean stringsAreText, int scale, RowBudget budget) {
    this.stringsAreText = stringsAreText;
    this.scale = scale;
    this.budget = budget;
  }

  /** Reads strings as base64 of unscaled numbers of this scale. */
  static DecimalReader ofBase64(int scale, RowBudget budget) {
    return new DecimalReader(false, scale, budget);
  }

  /** Reads strings as decimal text. */
  static DecimalReader ofText(RowBudget budget) {
    return new DecimalReader(true, 0, budget);
  }

  /**
   * The number at the current token, whose digits are taken from the row's budget.
   *
   * @throws Unrepresentable for {@code NaN} and infinities
   */
  BigDecimal read(JsonParser in) throws Problem, IOException {
    BigDecimal number =
        switch (in.currentToken()) {
          case VALUE_STRING -> stringsAreText ? fromText(in.getText()) : unscaled(in, scale);
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> in.getDecimalValue();
          case START_OBJECT -> variable(in);
          default -> throw JsonInput.unexpected("a decimal number", in);
        };
    long digits = digits(number);
    if (digits > MAX_DIGITS) {
      throw new Problem(
          "expected a decimal number of at most "
              + MAX_DIGITS
              + " digits, found one of "
              + digits
              + " written out in full");
    }
    budget.takeDigits(digits);
    return number;
  }

  /**
   * How many digits {@link BigDecimal#toPlainString} writes: a short text can say a giant number.
   */
  private static long digits(BigDecimal number) {
    long precision = number.precision();
    long scale = number.scale();
    return scale <= 0 ? precision - scale : Math.max(precision, scale + 1);
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
    if (text.length() > MAX_DIGITS) {
      throw new Problem(
          "expected a decimal number as text of at most "
              + MAX_DIGITS
              + " characters, found "
              + text.length());
    }
    try {
      return NumberInput.parseBigDecimal(text, true); // the JDK's takes quadratic time
    } catch (NumberFormatException otherText) {
      throw new Problem("expected a decimal number as text, found a string of another form");
    }
  }

  private static BigDecimal unscaled(JsonParser in, int scale) throws Problem, IOException {
    byte[] bytes = ValueConverter.base64(in, "a decimal number as base64");
    if (bytes.length == 0 || bytes.length > MAX_BYTES) {
      throw new Problem(
          "expected a decimal number as base64 of 1 to "
              + MAX_BYTES
              + " bytes, found "
              + bytes.length);
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
    return new BigDecimal(number.unscaledValue(), scale);
  }

  private static Problem variableProblem() {
    return new Problem(
        "expected a decimal number as an object of scale and value, found an object of other fields");
  }
}
