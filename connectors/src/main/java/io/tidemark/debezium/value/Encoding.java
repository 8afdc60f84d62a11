package io.tidemark.debezium.value;

import java.util.List;

/** How a source writes the values of a column, as far as the column's type leaves it open. */
public sealed interface Encoding {

  /** Encodings without parts. */
  enum Simple implements Encoding {
    /**
     * The one way there is for the type: base64 for binary, days for a date, ISO 8601 text for
     * {@code timestamptz}, base64 of the unscaled number (or a JSON number) for a decimal. Times
     * and timestamps have none: a bare number may count milli-, micro- or nanoseconds.
     */
    NATURAL,
    /** A number of milliseconds. */
    MILLIS,
    /** A number of microseconds. */
    MICROS,
    /** A number of nanoseconds. */
    NANOS,
    /** ISO 8601 text: {@code time.precision.mode=isostring}. */
    ISO,
    /** A decimal as text: {@code decimal.handling.mode=string}. */
    TEXT,
    /**
     * For a string column: an exact number of any scale, as {@code {"scale", "value"}} (Debezium's
     * {@code VariableScaleDecimal}) or as text; kept as plain decimal text, with {@code NaN},
     * {@code Infinity} and {@code -Infinity}.
     */
    DECIMAL,
    /**
     * For a string column: text, and booleans as {@code true} and {@code false}, as PostgreSQL
     * casts them. For a source column that was a boolean once and is text now.
     */
    BOOLEAN
  }

  /**
   * For a string column: base64 of an unscaled number that is too wide for a decimal column.
   *
   * @param scale digits after the point
   */
  record Scaled(int scale) implements Encoding {}

  /** Of the elements of a list or the values of a map. */
  record Element(Encoding of) implements Encoding {}

  /** Of the fields of a struct, in order. */
  record Fields(List<Encoding> of) implements Encoding {
    public Fields {
      of = List.copyOf(of);
    }
  }
}
