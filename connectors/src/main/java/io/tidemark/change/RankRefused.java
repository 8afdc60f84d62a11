package io.tidemark.change;

/** A record whose place in the order cannot be known; the message says why and what to do. */
public final class RankRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A refusal for the given reason, which names no row contents. */
  public RankRefused(String reason) {
    super(reason);
  }
}
