package io.tidemark.iceberg;

import java.util.List;
import java.util.Set;
import org.apache.iceberg.types.Types;

/** The columns that Tidemark adds to those of the source. */
final class AddedColumns {
  /** The text of the row's commit version. */
  static final String COMMIT_VERSION = "_commit_version";

  /** When the source committed the row. */
  static final String SOURCE_TS = "_source_ts";

  /** The columns that every table has, without ids. */
  static final List<Types.NestedField> FIELDS =
      List.of(
          Types.NestedField.optional(1, COMMIT_VERSION, Types.StringType.get()),
          Types.NestedField.optional(2, SOURCE_TS, Types.TimestampType.withZone()));

  private static final Set<String> NAMES = Set.of(COMMIT_VERSION, SOURCE_TS, "_kept", "_deleted");

  private AddedColumns() {}

  static boolean contains(String column) {
    return NAMES.contains(column);
  }
}
