package io.tidemark.failure;

import io.tidemark.change.SourceOffset;

/** A record that cannot be applied, under the policy to stop there. */
public final class BadEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the record and the problem.
   *
   * @param problem what was found and what was expected; no row contents
   */
  public BadEventException(SourceOffset at, String problem) {
    super(at + ": " + problem);
  }
}
