package io.tidemark.commit;

/** Somebody else wrote rows into a table that Tidemark keeps. */
public final class ForeignWriteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the table, the snapshot and what it did. */
  public ForeignWriteException(String message) {
    super(message);
  }
}
