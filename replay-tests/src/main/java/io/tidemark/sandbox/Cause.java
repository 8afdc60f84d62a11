package io.tidemark.sandbox;

/** What is behind an exception that only says that another thread has failed. */
final class Cause {

  private Cause() {}

  /** The exception's cause, or itself if it has none. */
  static Throwable of(Exception wrapper) {
    Throwable cause = wrapper.getCause();
    return cause == null ? wrapper : cause;
  }
}
