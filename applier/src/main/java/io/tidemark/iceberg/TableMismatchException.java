package io.tidemark.iceberg;

import java.util.List;

/** A table that is not what its changes need it to be. */
public final class TableMismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> mismatches;

  /** Lists every mismatch. */
  public TableMismatchException(String identifier, List<String> mismatches) {
    super(
        "Table " + identifier + " does not fit its changes:\n  " + String.join("\n  ", mismatches));
    this.mismatches = List.copyOf(mismatches);
  }

  /** What does not fit, each as the rest of a sentence about the table. */
  public List<String> mismatches() {
    return mismatches;
  }
}
