package io.tidemark.job;

/** A run that ended with a failure. */
public final class JobFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Carries the root cause. */
  public JobFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
