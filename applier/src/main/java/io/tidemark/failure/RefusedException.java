package io.tidemark.failure;

/** The job must not go on: going on could lose or double something. The message says what to do. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what was found, what was expected and what to do. */
  public RefusedException(String message) {
    super(message);
  }
}
