package io.tidemark.debezium.value;

import io.tidemark.debezium.json.Problem;

/**
 * Keeps one row from growing far beyond the bytes that it was sent in. Three bytes make an empty
 * struct in a list, which takes a hundred; nine make a number of 100,000 digits; and long numbers
 * take more than linear time to read and to write out. So a row has {@link #MAX_PARTS}, and these
 * are parts: each element of a list or a map, each field of a struct, sent or not, and each digit,
 * zeros that were not sent among them, of a number with more than {@link #FREE_DIGITS}. All else
 * grows with the bytes.
 *
 * <p>The converters of a decoder share one, which starts anew with each row. Not thread-safe.
 */
public final class RowBudget {
  /** How many parts a row may have. */
  public static final int MAX_PARTS = 1_000_000;

  /** Digits of a number that are no parts: those of the largest decimal column. */
  static final int FREE_DIGITS = 38;

  private long left = MAX_PARTS;

  /** Starts a row. */
  public void start() {
    left = MAX_PARTS;
  }

  /**
   * Takes parts.
   *
   * @throws Problem if the row has no more of them
   */
  void take(long parts) throws Problem {
    left -= parts;
    if (left < 0) {
      throw new Problem(
          "found more than "
              + MAX_PARTS
              + " parts in the row, which are the elements of its lists and maps, the fields of its"
              + " structs and the digits of numbers with more than "
              + FREE_DIGITS
              + ", expected at most so many. Leave the column out of the topic"
              + " (column.exclude.list of the connector), or put such messages aside"
              + " (errors.policy: dead-letter)");
    }
  }

  /** Takes the digits of a number, as it is written out in full. */
  void takeDigits(long digits) throws Problem {
    if (digits > FREE_DIGITS) {
      take(digits);
    }
  }
}
