package io.tidemark.commit;

/** A commit that would make the table wrong; trying again does not help. */
public final class CommitRefusedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** Names the table and what was found. */
  public CommitRefusedException(String message) {
    super(message);
  }
}
