package io.tidemark.iceberg;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table to read.
 *
 * @param columns names of the columns; empty for all
 * @param meta whether columns that Tidemark adds come too, when {@code columns} is empty
 * @param filter comparisons joined by {@code and}, such as {@code id >= 5 and name = 'x'}; null for
 *     all rows
 * @param limit how many rows at most, lowest keys first; null for all
 * @param snapshot id of the snapshot; null for the current one
 */
public record RowQuery(
    List<String> columns,
    boolean meta,
    @Nullable String filter,
    @Nullable Integer limit,
    @Nullable Long snapshot) {

  /** All rows with the source's columns. */
  public static final RowQuery ALL = new RowQuery(List.of(), false, null, null, null);

  public RowQuery {
    columns = List.copyOf(columns);
    if (limit != null && limit < 0) {
      throw new IllegalArgumentException("limit must not be negative, got " + limit);
    }
  }
}
