package io.tidemark.commit;

/** A commit that would make the table wrong, or is refused; trying again does not help. */
public final class CommitRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Names the table and what was found. */
  public CommitRefusedException(String message) {
    super(message);
  }

  /** Names the table and what a catalog answers whenever it is asked. */
  public CommitRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
