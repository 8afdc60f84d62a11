package io.tidemark.debezium;

import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.Map;

/** What a record says about the shape of its table's rows. */
public sealed interface ShapeResult {

  /**
   * The record's schema gives a shape.
   *
   * @param encodings by column, all columns: how the source writes each, to read later messages
   *     without schema
   */
  record Discovered(RowShape shape, Map<String, Encoding> encodings) implements ShapeResult {
    public Discovered {
      encodings = Map.copyOf(encodings);
      if (!encodings.keySet().equals(shape.positions().keySet())) {
        throw new IllegalArgumentException(
            "Encodings of " + encodings.keySet() + " for columns " + shape.positions().keySet());
      }
    }

    /**
     * The text form of a column's type and encoding, to be kept with the table.
     *
     * @throws IllegalArgumentException if there is no such column
     */
    public String spec(String column) {
      Encoding encoding = encodings.get(column);
      for (Column candidate : shape.columns()) {
        if (candidate.name().equals(column) && encoding != null) {
          return new ColumnSpec(candidate.type(), encoding).toString();
        }
      }
      throw new IllegalArgumentException("No column " + column);
    }
  }

  /** A record that changes no row, and so has no shape: a tombstone, a heartbeat and their kin. */
  record NotAChange() implements ShapeResult {}

  /**
   * A record that should have a shape, and why none can be read from it.
   *
   * @param reason what was found, what was expected and what to do; no row values
   */
  record Refused(String reason) implements ShapeResult {}
}
