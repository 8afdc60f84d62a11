package io.tidemark.debezium.registry;

/**
 * A schema registry did not answer, or refused to. Nothing is known of the message: it is not
 * malformed, and it can be read when the registry is back.
 */
public final class RegistryUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RegistryUnavailableException(String message) {
    super(message);
  }

  RegistryUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
