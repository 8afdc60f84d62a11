package io.tidemark.change;

/**
 * Where a change stands in its source database's own commit order: three numbers, compared left to
 * right as unsigned 64-bit values.
 *
 * <p>Which three they are is each connector's business (PostgreSQL: the previous transaction's
 * commit LSN, the change's LSN, its order in the transaction). Wider positions are packed: what
 * matters is only that the order of the three equals the order of the source.
 */
public record Position(long p1, long p2, long p3) implements Comparable<Position> {

  /** Below or equal to every other position. */
  public static final Position ZERO = new Position(0, 0, 0);

  @Override
  public int compareTo(Position other) {
    int order = Long.compareUnsigned(p1, other.p1);
    if (order == 0) {
      order = Long.compareUnsigned(p2, other.p2);
    }
    return order != 0 ? order : Long.compareUnsigned(p3, other.p3);
  }

  /** Whether this position is above {@code other}. */
  public boolean isAfter(Position other) {
    return compareTo(other) > 0;
  }

  /** Three groups of sixteen hexadecimal digits, joined by dots. */
  @Override
  public String toString() {
    return String.format("%016x.%016x.%016x", p1, p2, p3);
  }

  /**
   * Reads what {@link #toString()} wrote.
   *
   * @throws IllegalArgumentException if the text is not three groups of sixteen hexadecimal digits
   */
  public static Position parse(String text) {
    if (text.length() != 50 || text.charAt(16) != '.' || text.charAt(33) != '.') {
      throw new IllegalArgumentException(
          "A position is three groups of 16 hexadecimal digits joined by dots, got \""
              + text
              + "\"");
    }
    return new Position(
        Long.parseUnsignedLong(text, 0, 16, 16),
        Long.parseUnsignedLong(text, 17, 33, 16),
        Long.parseUnsignedLong(text, 34, 50, 16));
  }
}
