package io.tidemark.debezium.registry;

/**
 * A schema registry did not answer, or refused to. Nothing is known of the message: it is not
 * malformed, and it can be read when the registry is back.
 */
public final class RegistryUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean answered;

  RegistryUnavailableException(String message, boolean answered) {
    super(message);
    this.answered = answered;
  }

  RegistryUnavailableException(String message, Throwable cause) {
    super(message, cause);
    this.answered = false;
  }

  /**
   * Whether something answered, and what it said is no schema: then waiting does not help, the
   * settings must change.
   */
  public boolean answered() {
    return answered;
  }
}
