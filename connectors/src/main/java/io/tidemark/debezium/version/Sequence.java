package io.tidemark.debezium.version;

import io.tidemark.debezium.json.Problem;

/**
 * The text of PostgreSQL's {@code source.sequence}: {@code ["24252232","24252288"]}, either of
 * which may be {@code null}.
 *
 * @param lastCommit commit LSN of the transaction before; {@link #ABSENT} if not known
 * @param lsn LSN of the change; {@link #ABSENT} if not known
 */
record Sequence(long lastCommit, long lsn) {
  static final long ABSENT = -1;

  static final Sequence NONE = new Sequence(ABSENT, ABSENT);

  /** Parses by hand, since every event has one. */
  static Sequence parse(String text) throws Problem {
    int comma = text.indexOf(',');
    String trimmed = text.strip();
    if (comma < 0 || !trimmed.startsWith("[") || !trimmed.endsWith("]")) {
      throw malformed();
    }
    return new Sequence(
        element(text, text.indexOf('[') + 1, comma),
        element(text, comma + 1, text.lastIndexOf(']')));
  }

  private static long element(String text, int from, int to) throws Problem {
    String element = text.substring(from, to).strip();
    if (element.equals("null")) {
      return ABSENT;
    }
    int last = element.length() - 1;
    if (last < 2 || element.charAt(0) != '"' || element.charAt(last) != '"' || last > 20) {
      throw malformed();
    }
    long number = 0;
    for (int i = 1; i < last; i++) {
      int digit = element.charAt(i) - '0';
      if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
        throw malformed();
      }
      number = number * 10 + digit;
    }
    return number;
  }

  private static Problem malformed() {
    return new Problem(
        "source.sequence: expected [\"<last commit lsn>\",\"<lsn>\"], found a string of another form");
  }
}
