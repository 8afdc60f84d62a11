package io.tidemark.verify;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/**
 * A line now and then of how far something long is. The time up to its first line is counted from
 * its first step: what is over sooner says nothing.
 */
final class ProgressLines {

  private final PrintWriter out;
  private final Duration interval;
  private final LongSupplier nanos;

  ProgressLines(PrintWriter out, Duration interval) {
    this(out, interval, System::nanoTime);
  }

  /** The same with another clock, in nanoseconds. */
  ProgressLines(PrintWriter out, Duration interval, LongSupplier nanos) {
    this.out = out;
    this.interval = interval;
    this.nanos = nanos;
  }

  /** Counts towards a known end. */
  LongConsumer of(String what, long total) {
    return every(
        done -> String.format(Locale.ROOT, "%s: %,d of %,d", what, Math.min(done, total), total));
  }

  /** Counts. */
  LongConsumer of(String what) {
    return every(done -> String.format(Locale.ROOT, "%s: %,d", what, done));
  }

  /** Says something at once. */
  void say(String line) {
    out.println(line);
    out.flush();
  }

  private LongConsumer every(LongFunction<String> line) {
    return new LongConsumer() {
      private boolean begun;
      private long last;

      @Override
      public void accept(long done) {
        long now = nanos.getAsLong();
        if (!begun) {
          begun = true;
          last = now;
        } else if (now - last >= interval.toNanos()) {
          last = now;
          say(line.apply(done));
        }
      }
    };
  }
}
