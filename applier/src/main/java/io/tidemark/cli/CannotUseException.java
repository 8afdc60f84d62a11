package io.tidemark.cli;

/** What was asked for cannot be had. */
final class CannotUseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotUseException(String message) {
    super(message);
  }
}
