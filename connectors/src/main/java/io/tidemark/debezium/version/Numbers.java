package io.tidemark.debezium.version;

import io.tidemark.debezium.json.Problem;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Positions as connectors write them. A problem carries the field's name and no value. */
final class Numbers {

  private Numbers() {}

  /**
   * A field that must be there and must not be negative.
   *
   * @param remedy what to do if it is missing, from its first punctuation on
   */
  static long required(SourceBlock source, SourceBlock.Field field, String name, String remedy)
      throws Problem {
    OptionalLong number = source.number(field);
    if (number.isEmpty()) {
      throw new Problem(name + " is missing" + remedy);
    }
    return nonNegative(name, number.getAsLong());
  }

  /** A field that may be missing, which counts as 0. */
  static long optional(SourceBlock source, SourceBlock.Field field, String name) throws Problem {
    return nonNegative(name, source.number(field).orElse(0));
  }

  static long nonNegative(String name, long number) throws Problem {
    if (number < 0) {
      throw new Problem(name + ": expected an integer of at least 0, found a negative one");
    }
    return number;
  }

  /** Decimal digits as an unsigned 64-bit number. */
  static long unsigned(String name, String digits) throws Problem {
    boolean decimal = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!decimal) {
      throw new Problem(name + ": expected decimal digits, found a string of another form");
    }
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException tooLarge) {
      throw new Problem(name + ": expected a number below 2^64, found a larger one");
    }
  }

  /** A number, or the text of one; empty if there is neither. */
  static OptionalLong unsigned(SourceBlock source, SourceBlock.Field field, String name)
      throws Problem {
    OptionalLong number = source.number(field);
    if (number.isPresent()) {
      nonNegative(name, number.getAsLong());
      return number;
    }
    @Nullable String digits = source.text(field);
    return digits == null ? OptionalLong.empty() : OptionalLong.of(unsigned(name, digits));
  }

  /**
   * Reads groups of hexadecimal digits.
   *
   * @param widths digits of each group, at most 16
   * @param form how that looks, for people
   * @return the groups' values
   */
  static long[] hex(String name, String text, int[] widths, String form) throws Problem {
    long[] groups = new long[widths.length];
    int at = 0;
    for (int group = 0; group < widths.length; group++) {
      if (group > 0 && (at >= text.length() || text.charAt(at++) != ':')) {
        throw malformed(name, form);
      }
      for (int digit = 0; digit < widths[group]; digit++) {
        int value = at < text.length() ? Character.digit(text.charAt(at++), 16) : -1;
        if (value < 0) {
          throw malformed(name, form);
        }
        groups[group] = groups[group] << 4 | value;
      }
    }
    if (at != text.length()) {
      throw malformed(name, form);
    }
    return groups;
  }

  private static Problem malformed(String name, String form) {
    return new Problem(name + ": expected " + form + ", found a string of another form");
  }
}
