package io.tidemark.debezium.value;

import io.tidemark.debezium.json.Problem;
import java.time.LocalDate;
import java.time.YearMonth;

/**
 * Reads {@code 2024-02-29T11:14:15.123456Z} and its kin exactly: any year in astronomical counting
 * ({@code 0000} is 1 BC), any number of fraction digits, offsets to the second.
 *
 * <p>Debezium's forms without a zone carry a {@code Z} that says nothing.
 */
final class IsoText {
  /** What is expected, for a message. */
  static final String INSTANT = "a timestamp with offset as ISO 8601 text";

  /** What is expected, for a message. */
  static final String DATE = "a date as ISO 8601 text";

  /** What is expected, for a message. */
  static final String TIME = "a time as ISO 8601 text";

  /** What is expected, for a message. */
  static final String TIMESTAMP = "a timestamp as ISO 8601 text";

  private static final int MICRO_DIGITS = 6;
  private static final int MAX_YEAR_DIGITS = 9;

  private final String text;
  private final String form;
  private int at;

  /**
   * Reads a text.
   *
   * @param form what is expected, for a message
   */
  IsoText(String text, String form) {
    this.text = text;
    this.form = form;
  }

  /**
   * Microseconds since 1970-01-01T00:00:00Z.
   *
   * @throws Unrepresentable if there are digits below the microsecond that are not zero, or the
   *     instant is beyond 64-bit microseconds
   * @throws Problem if the text has another form
   */
  long micros() throws Problem {
    long days = date();
    separator();
    long ofDay = clock(twoDigits(23));
    return at(days * 86_400 - offset(), ofDay);
  }

  /**
   * Days since 1970-01-01.
   *
   * @throws Problem if the text has another form
   */
  int days() throws Problem {
    long days = date();
    zulu();
    if (days != (int) days) {
      throw new Unrepresentable("a date beyond 32-bit days");
    }
    return (int) days;
  }

  /**
   * Microseconds since midnight, of a text of up to 999 hours with or without a minus: MySQL's
   * {@code TIME} has any from -838:59:59 to 838:59:59. Problems are those of {@link #micros()}.
   */
  long microsOfDay() throws Problem {
    boolean negative = peek() == '-';
    if (negative) {
      at++;
    }
    long hours = twoDigits(99);
    if (isDigit(peek())) {
      hours = hours * 10 + (next() - '0');
    }
    long micros = clock(hours);
    zulu();
    return negative ? -micros : micros;
  }

  /** Microseconds since 1970-01-01T00:00:00, no zone; problems are those of {@link #micros()}. */
  long localMicros() throws Problem {
    long days = date();
    separator();
    long ofDay = clock(twoDigits(23));
    zulu();
    return at(days * 86_400, ofDay);
  }

  private long at(long seconds, long micros) throws Problem {
    if (at != text.length()) {
      throw malformed();
    }
    try {
      // The smallest representable instant has seconds whose microseconds alone would overflow.
      return seconds >= 0
          ? Math.addExact(Math.multiplyExact(seconds, 1_000_000L), micros)
          : Math.addExact(
              Math.multiplyExact(seconds + 86_400, 1_000_000L), micros - 86_400_000_000L);
    } catch (ArithmeticException overflow) {
      throw new Unrepresentable("a timestamp beyond 64-bit microseconds");
    }
  }

  private void separator() throws Problem {
    char separator = next();
    if (separator != 'T' && separator != ' ') {
      throw malformed();
    }
  }

  /** Microseconds since midnight; the text goes on behind the hours. */
  private long clock(long hours) throws Problem {
    long seconds = hours * 3600;
    expect(':');
    seconds += twoDigits(59) * 60L;
    expect(':');
    seconds += twoDigits(59);
    return seconds * 1_000_000 + fraction();
  }

  private void zulu() throws Problem {
    if (peek() == 'Z') {
      at++;
    }
    if (at != text.length()) {
      throw malformed();
    }
  }

  private long date() throws Problem {
    char sign = peek();
    if (sign == '+' || sign == '-') {
      at++;
    }
    int start = at;
    int year = 0;
    while (isDigit(peek()) && at - start < MAX_YEAR_DIGITS) {
      year = year * 10 + (next() - '0');
    }
    if (at - start < 4) {
      throw malformed();
    }
    year = sign == '-' ? -year : year;
    expect('-');
    int month = twoDigits(12);
    expect('-');
    int day = twoDigits(31);
    if (month == 0 || day == 0 || (day > 28 && day > YearMonth.of(year, month).lengthOfMonth())) {
      throw malformed();
    }
    return LocalDate.of(year, month, day).toEpochDay();
  }

  private int fraction() throws Problem {
    if (peek() != '.') {
      return 0;
    }
    at++;
    int start = at;
    int micros = 0;
    boolean below = false;
    while (isDigit(peek())) {
      int digit = next() - '0';
      if (at - start <= MICRO_DIGITS) {
        micros = micros * 10 + digit;
      } else {
        below |= digit != 0;
      }
    }
    if (at == start) {
      throw malformed();
    }
    if (below) {
      throw new Unrepresentable("a timestamp with digits below the microsecond");
    }
    for (int digits = at - start; digits < MICRO_DIGITS; digits++) {
      micros *= 10;
    }
    return micros;
  }

  /** Seconds east of Greenwich. */
  private int offset() throws Problem {
    char sign = next();
    if (sign == 'Z') {
      return 0;
    }
    if (sign != '+' && sign != '-') {
      throw malformed();
    }
    int seconds = twoDigits(23) * 3600;
    if (peek() == ':') {
      at++;
      seconds += twoDigits(59) * 60;
    }
    if (peek() == ':') {
      at++;
      seconds += twoDigits(59);
    }
    return sign == '-' ? -seconds : seconds;
  }

  private int twoDigits(int max) throws Problem {
    char tens = next();
    char ones = next();
    int value = (tens - '0') * 10 + (ones - '0');
    if (!isDigit(tens) || !isDigit(ones) || value > max) {
      throw malformed();
    }
    return value;
  }

  private void expect(char wanted) throws Problem {
    if (next() != wanted) {
      throw malformed();
    }
  }

  private char next() throws Problem {
    if (at >= text.length()) {
      throw malformed();
    }
    return text.charAt(at++);
  }

  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private Problem malformed() {
    return new Problem("expected " + form + ", found a string of another form");
  }
}
