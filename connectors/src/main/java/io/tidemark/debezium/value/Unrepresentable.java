package io.tidemark.debezium.value;

import io.tidemark.debezium.json.Problem;

/**
 * A well-formed value that the column's type cannot hold: an infinity, a number of too many digits,
 * a time below the microsecond. What becomes of it is the user's choice.
 */
public final class Unrepresentable extends Problem {
  private static final long serialVersionUID = 1L;

  /** A value that does not fit, with the reason. */
  public Unrepresentable(String reason) {
    super(reason);
  }

  /** It stays one wherever in the message it was found: what becomes of it depends on that. */
  @Override
  public Unrepresentable in(String place) {
    return new Unrepresentable(place + ": " + text());
  }
}
