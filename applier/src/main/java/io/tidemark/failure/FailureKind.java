package io.tidemark.failure;

/** Why something did not work, and so who must act. */
public enum FailureKind {
  /** Who typed the command: it cannot be understood. */
  USAGE(ExitCode.USAGE),
  /** Who wrote the configuration. */
  BAD_CONFIG(ExitCode.USAGE),
  /** Who runs the source: a message cannot be applied. */
  BAD_EVENT(ExitCode.FAILED),
  /** Who owns the table: it is not what its changes need it to be. */
  BAD_TABLE(ExitCode.FAILED),
  /** Who runs two writers: somebody else writes the same table. */
  ANOTHER_WRITER(ExitCode.FAILED),
  /** Who started it: going on could lose or double something. */
  REFUSED(ExitCode.FAILED),
  /** Nobody, or who runs the broker or catalog: trying again later may help. */
  UNAVAILABLE(ExitCode.FAILED),
  /** Who wrote Tidemark. */
  BUG(ExitCode.FAILED);

  private final int exitCode;

  FailureKind(int exitCode) {
    this.exitCode = exitCode;
  }

  /** What the process ends with. */
  public int exitCode() {
    return exitCode;
  }
}
