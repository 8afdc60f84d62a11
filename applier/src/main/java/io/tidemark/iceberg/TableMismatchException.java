package io.tidemark.iceberg;

import java.util.List;

/** A table that is not what its changes need it to be. */
public final class TableMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Lists every mismatch. */
  TableMismatchException(String identifier, List<String> mismatches) {
    super(
        "Table " + identifier + " does not fit its changes:\n  " + String.join("\n  ", mismatches));
  }
}
