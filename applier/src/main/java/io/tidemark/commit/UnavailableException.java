package io.tidemark.commit;

/** A catalog or file system that did not answer; trying again later may help. */
public final class UnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names what did not answer and for how long it was tried. */
  public UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Names what is not there yet and for how long it was waited for. */
  public UnavailableException(String message) {
    super(message);
  }
}
