package io.tidemark.iceberg;

import io.tidemark.change.Mark;
import io.tidemark.change.Told;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** The columns that Tidemark adds to those of the source. */
final class AddedColumns {
  /** The text of the row's commit version. */
  static final String COMMIT_VERSION = "_commit_version";

  /** When the source committed the row. */
  static final String SOURCE_TS = "_source_ts";

  /** Of a row some of whose columns older changes told: by column the text of a {@link Told}. */
  static final String KEPT = "_kept";

  /** The columns that every table has, without ids. */
  static final List<Types.NestedField> FIELDS =
      List.of(
          Types.NestedField.optional(1, COMMIT_VERSION, Types.StringType.get()),
          Types.NestedField.optional(2, SOURCE_TS, Types.TimestampType.withZone()));

  private static final Set<String> NAMES = Set.of(COMMIT_VERSION, SOURCE_TS, KEPT);

  private AddedColumns() {}

  /** What {@link #KEPT} holds. */
  static @Nullable Map<String, String> keptText(SortedMap<String, Told> kept) {
    if (kept.isEmpty()) {
      return null;
    }
    Map<String, String> text = new TreeMap<>();
    kept.forEach((column, told) -> text.put(column, told.toText()));
    return text;
  }

  /**
   * Reads what {@link #keptText} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static SortedMap<String, Told> kept(@Nullable Object text) {
    if (text == null) {
      return Mark.NOTHING_KEPT;
    }
    SortedMap<String, Told> kept = new TreeMap<>();
    ((Map<?, ?>) text)
        .forEach(
            (column, told) -> kept.put(String.valueOf(column), Told.parse(String.valueOf(told))));
    return kept;
  }

  static boolean contains(String column) {
    return NAMES.contains(column);
  }
}
