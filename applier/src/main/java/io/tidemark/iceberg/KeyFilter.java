package io.tidemark.iceberg;

import io.tidemark.flink.row.BinaryRowReader;
import io.tidemark.merge.RowSource.Wanted;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** A condition that holds for rows with some keys, and leaves out as many others as is cheap. */
final class KeyFilter {
  /** Beyond so many values Iceberg does not compare them with the bounds of a file. */
  private static final int LISTED = 200;

  private final int arity;
  private final List<Part> parts = new ArrayList<>();

  private record Part(String column, boolean number, ColumnGetter getter) {}

  KeyFilter(RowShape shape) {
    arity = shape.columns().size();
    for (int position : shape.keyPositions()) {
      Column column = shape.columns().get(position);
      // Not of a uuid: Iceberg compares it with a file's bounds as signed numbers, which they are
      // not (apache/iceberg#14216), and passes over files that have the row.
      if (column.type() instanceof Simple type
          && type != Simple.BOOLEAN
          && type != Simple.BINARY
          && type != Simple.UUID) {
        boolean number = type != Simple.STRING;
        parts.add(new Part(column.name(), number, ColumnGetter.of(type, position)));
      }
    }
  }

  /** Holds for each of these rows. */
  Expression of(List<Wanted> wanted) {
    Expression all = Expressions.alwaysTrue();
    BinaryRowReader row = new BinaryRowReader(arity);
    for (Part part : parts) {
      Set<Object> values = new HashSet<>();
      for (Wanted one : wanted) {
        row.pointTo(one.keyColumns());
        Object value = part.getter().get(row);
        if (value != null) {
          values.add(value);
        }
      }
      all = Expressions.and(all, among(part, values));
    }
    return all;
  }

  private static Expression among(Part part, Set<Object> values) {
    if (values.size() <= LISTED) {
      return Expressions.in(part.column(), values);
    }
    if (!part.number()) {
      return Expressions.alwaysTrue();
    }
    List<Number> sorted =
        values.stream()
            .map(Number.class::cast)
            .sorted(java.util.Comparator.comparingLong(Number::longValue))
            .toList();
    return Expressions.and(
        Expressions.greaterThanOrEqual(part.column(), sorted.get(0)),
        Expressions.lessThanOrEqual(part.column(), sorted.get(sorted.size() - 1)));
  }
}
