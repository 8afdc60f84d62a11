package io.tidemark.debezium.json;

import java.io.IOException;

/**
 * Bytes that a parser cannot go on with, in words that may be shown: never a row's values. {@link
 * JsonInput#broken} turns it into a {@link Problem}.
 */
public final class BrokenInput extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says what was found and what was expected. */
  public BrokenInput(String message) {
    super(message);
  }

  /** Bad input is ordinary input: no stack trace. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
