package io.tidemark.job;

import io.tidemark.commit.Backoff;
import io.tidemark.commit.JitteredBackoff;
import java.time.Duration;
import java.util.SplittableRandom;

/** How long is waited between attempts. */
final class Backoffs {
  private Backoffs() {}

  /** For commits: some minutes in all, after which Flink restarts the job. */
  static Backoff commits() {
    return new JitteredBackoff(
        Duration.ofMillis(100),
        Duration.ofSeconds(10),
        20,
        new SplittableRandom(),
        Backoffs::sleep);
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for the catalog", e);
    }
  }
}
