package io.tidemark.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongConsumer;

/** A line now and then of how far something long is. */
final class ProgressLines {

  private final PrintWriter out;
  private final Duration interval;
  private long next;

  ProgressLines(PrintWriter out, Duration interval) {
    this.out = out;
    this.interval = interval;
    this.next = System.nanoTime() + interval.toNanos();
  }

  /** Counts towards a known end. */
  LongConsumer of(String what, long total) {
    return done ->
        tick(
            () -> String.format(Locale.ROOT, "%s: %,d of %,d", what, Math.min(done, total), total));
  }

  /** Counts. */
  LongConsumer of(String what) {
    return done -> tick(() -> String.format(Locale.ROOT, "%s: %,d", what, done));
  }

  /** Says something at once. */
  void say(String line) {
    out.println(line);
    out.flush();
  }

  private void tick(java.util.function.Supplier<String> line) {
    if (System.nanoTime() - next >= 0) {
      next = System.nanoTime() + interval.toNanos();
      say(line.get());
    }
  }
}
