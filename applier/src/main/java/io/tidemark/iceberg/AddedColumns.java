package io.tidemark.iceberg;

import java.util.Set;

/** The columns that Tidemark adds to those of the source. */
final class AddedColumns {
  /** The text of the row's commit version. */
  static final String COMMIT_VERSION = "_commit_version";

  /** When the source committed the row. */
  static final String SOURCE_TS = "_source_ts";

  private static final Set<String> NAMES = Set.of(COMMIT_VERSION, SOURCE_TS, "_kept", "_deleted");

  private AddedColumns() {}

  static boolean contains(String column) {
    return NAMES.contains(column);
  }
}
