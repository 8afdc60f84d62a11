package io.tidemark.debezium.json;

/**
 * Why a message cannot be read: what was found and what was expected, never a row's values.
 *
 * <p>It unwinds the nested readers of one message and ends as an outcome in the decoder. Bad input
 * is ordinary input, so it carries no stack trace.
 */
public class Problem extends Exception {
  private static final long serialVersionUID = 1L;

  /** A problem that says what was found and what was expected. */
  public Problem(String message) {
    super(message, null, false, false);
  }

  /** The message, which is never absent. */
  public String text() {
    return String.valueOf(getMessage());
  }

  /** The same problem, said of a part of the message. */
  public Problem in(String place) {
    return new Problem(place + ": " + text());
  }
}
