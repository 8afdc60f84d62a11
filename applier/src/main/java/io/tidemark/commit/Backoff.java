package io.tidemark.commit;

/** Waits between the attempts at something that failed and may succeed later. */
@FunctionalInterface
public interface Backoff {

  /**
   * Waits before the next attempt.
   *
   * @param failures how many attempts have failed so far, at least 1
   * @return false if no further attempt is to be made; nothing was waited for then
   */
  boolean await(int failures);
}
