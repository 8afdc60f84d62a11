package io.tidemark.processes;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for what processes do. The deadline is no expectation of their speed: it ends a test that
 * would wait for ever, which is how a job that lives no more shows.
 */
final class Await {
  static final Duration DEADLINE = Duration.ofSeconds(120);

  private Await() {}

  /**
   * Waits until something holds.
   *
   * @param otherwise what to say at the deadline
   */
  static void until(String what, BooleanSupplier holds, Supplier<String> otherwise) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!holds.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "Not within " + DEADLINE.toSeconds() + " s: " + what + "\n" + otherwise.get());
      }
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while waiting: " + what, e);
      }
    }
  }
}
