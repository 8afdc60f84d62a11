package io.tidemark.row;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The columns of a row, in order. Columns that Tidemark adds to a table are not part of it.
 *
 * <p>The order of the key columns is their order here.
 */
public record RowShape(List<Column> columns) implements Serializable {

  /**
   * Checks that there is a key and that it can be one.
   *
   * @throws IllegalArgumentException if a name occurs twice, no column is a key, or a key column's
   *     type cannot be one
   */
  public RowShape {
    columns = List.copyOf(columns);
    Map<String, Integer> seen = new HashMap<>();
    for (Column column : columns) {
      if (seen.merge(column.name(), 1, Integer::sum) > 1) {
        throw new IllegalArgumentException("Column " + column.name() + " occurs twice");
      }
      if (column.key() && !isKeyType(column.type())) {
        throw new IllegalArgumentException(
            "Column " + column.name() + " of type " + column.type() + " cannot be a key column");
      }
    }
    if (columns.stream().noneMatch(Column::key)) {
      throw new IllegalArgumentException("A row needs at least one key column");
    }
  }

  /** Positions of the key columns, ascending. */
  public int[] keyPositions() {
    return IntStream.range(0, columns.size()).filter(i -> columns.get(i).key()).toArray();
  }

  /** The key columns in their order, with their types: {@code tenant string, id long}. */
  public String keyText() {
    return columns.stream()
        .filter(Column::key)
        .map(column -> column.name() + " " + column.type())
        .collect(Collectors.joining(", "));
  }

  /** Position of each column by name. */
  public Map<String, Integer> positions() {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < columns.size(); i++) {
      positions.put(columns.get(i).name(), i);
    }
    return positions;
  }

  /** Iceberg forbids floating-point identifier fields and nested ones. */
  private static boolean isKeyType(ColumnType type) {
    return type instanceof ColumnType.Decimal
        || (type instanceof ColumnType.Simple
            && type != ColumnType.Simple.FLOAT
            && type != ColumnType.Simple.DOUBLE);
  }
}
