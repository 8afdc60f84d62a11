package io.tidemark.job;

/** A job ended although it should not have; the message is its root cause's. */
public final class JobFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Carries the root cause. */
  public JobFailedException(Throwable rootCause) {
    super(
        rootCause.getMessage() == null ? rootCause.getClass().getName() : rootCause.getMessage(),
        rootCause);
  }
}
