package io.tidemark.row;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The type of a column, and with it the Java value that a {@link RowWriter} takes for it.
 *
 * <p>{@link #toString()} gives the name that configuration files and messages use.
 */
public sealed interface ColumnType extends Serializable {

  /** Types without parameters. */
  enum Simple implements ColumnType {
    /** {@link Boolean}. */
    BOOLEAN,
    /** {@link Integer}. */
    INT,
    /** {@link Long}. */
    LONG,
    /** {@link Float}. */
    FLOAT,
    /** {@link Double}. */
    DOUBLE,
    /** {@link String}. */
    STRING,
    /** {@code byte[]}. */
    BINARY,
    /** {@link Integer}: days since 1970-01-01, proleptic Gregorian. */
    DATE,
    /** {@link Long}: microseconds since midnight, below 24 h. */
    TIME,
    /** {@link Long}: microseconds since 1970-01-01T00:00:00 without zone. */
    TIMESTAMP,
    /** {@link Long}: microseconds since 1970-01-01T00:00:00Z. */
    TIMESTAMPTZ,
    /** {@link java.util.UUID}. */
    UUID;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /**
   * An exact number; the value is a {@link java.math.BigDecimal} of exactly this scale.
   *
   * @param precision total digits, 1 to 38
   * @param scale digits after the point, 0 to {@code precision}
   */
  record Decimal(int precision, int scale) implements ColumnType {
    public Decimal {
      if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
        throw new IllegalArgumentException(
            "A decimal has precision 1..38 and scale 0..precision, got ("
                + precision
                + ", "
                + scale
                + ")");
      }
    }

    @Override
    public String toString() {
      return "decimal(" + precision + ", " + scale + ")";
    }
  }

  /** A list; the value is a {@link List} of the element's values, which may be null. */
  record ListOf(ColumnType element) implements ColumnType {
    @Override
    public String toString() {
      return "list<" + element + ">";
    }
  }

  /** A map with string keys; the value is a {@link java.util.Map}, its values may be null. */
  record MapOf(ColumnType value) implements ColumnType {
    @Override
    public String toString() {
      return "map<string, " + value + ">";
    }
  }

  /**
   * A struct; the value is a {@link List} with one value per field, in order, which may be null.
   */
  record Struct(List<Field> fields) implements ColumnType {
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public String toString() {
      return fields.stream()
          .map(f -> f.name() + ": " + f.type())
          .collect(Collectors.joining(", ", "struct<", ">"));
    }
  }

  /** A field of a {@link Struct}. */
  record Field(String name, ColumnType type) implements Serializable {}
}
