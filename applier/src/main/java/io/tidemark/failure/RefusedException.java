package io.tidemark.failure;

/** The job must not go on: going on could lose or double something. The message says what to do. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says what was found, what was expected and what to do. */
  public RefusedException(String message) {
    super(message);
  }

  /**
   * State that a newer build wrote.
   *
   * @param what as the sentence begins
   * @param reads the newest format that this build knows
   */
  public static RefusedException newerState(String what, int format, int reads) {
    return new RefusedException(
        what
            + " has format "
            + format
            + ", this build reads up to "
            + reads
            + ". Use the build that wrote it, or start without state (./tidemark run -c FILE)");
  }

  /**
   * A record of the table that Tidemark cannot have written.
   *
   * @param problem what was found, as the sentence begins
   */
  public static RefusedException damagedRecord(String problem) {
    return new RefusedException(
        problem
            + ". The table's record was edited, or a newer build wrote it. Use that build, or roll the"
            + " table back to a snapshot whose record is whole; if none is left, see"
            + " docs/recovery.md");
  }
}
