package io.tidemark.failure;

/** What the process ends with; scripts rely on it. */
public final class ExitCode {
  /** All is well. */
  public static final int OK = 0;

  /** A check found something. */
  public static final int CHECK_FAILED = 1;

  /** The command or the configuration cannot be used. */
  public static final int USAGE = 2;

  /** Something was tried and did not work. */
  public static final int FAILED = 3;

  private ExitCode() {}
}
