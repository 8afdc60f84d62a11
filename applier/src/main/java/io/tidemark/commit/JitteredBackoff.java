package io.tidemark.commit;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Doubles the wait with each failure up to a limit, and takes a random part of it, so that two
 * writers that met once do not meet again.
 */
public final class JitteredBackoff implements Backoff {
  private final Duration first;
  private final Duration longest;
  private final int attempts;
  private final RandomGenerator jitter;
  private final Consumer<Duration> sleeper;

  /**
   * Sets the limits.
   *
   * @param first upper bound of the first wait
   * @param longest upper bound of every wait
   * @param attempts how many attempts are made in all, at least 1
   * @param jitter where the random part comes from
   * @param sleeper waits for the given time
   */
  public JitteredBackoff(
      Duration first,
      Duration longest,
      int attempts,
      RandomGenerator jitter,
      Consumer<Duration> sleeper) {
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be at least 1, got " + attempts);
    }
    this.first = first;
    this.longest = longest;
    this.attempts = attempts;
    this.jitter = jitter;
    this.sleeper = sleeper;
  }

  @Override
  public boolean await(int failures) {
    if (failures >= attempts) {
      return false;
    }
    long bound = Math.min(longest.toMillis(), first.toMillis() << Math.min(failures - 1, 20));
    sleeper.accept(Duration.ofMillis(bound / 2 + jitter.nextLong(bound / 2 + 1)));
    return true;
  }
}
