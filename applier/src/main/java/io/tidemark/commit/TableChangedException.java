package io.tidemark.commit;

/**
 * Somebody changed the table's columns or partitioning while the job ran. A restart reads them
 * anew.
 */
public final class TableChangedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the table, what the job knows and what it found. */
  public TableChangedException(String message) {
    super(message);
  }
}
