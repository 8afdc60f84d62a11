package io.tidemark.sandbox;

import java.io.PrintWriter;
import java.util.Locale;

/** Tells people what is going on, with the time since the beginning. */
final class Narration {

  private final PrintWriter out;
  private final long began = System.nanoTime();

  Narration(PrintWriter out) {
    this.out = out;
  }

  /** A line with the elapsed time. */
  void step(String format, Object... values) {
    plain("[%5.1f s] ".formatted(elapsedSeconds()) + format.formatted(values));
  }

  /** A line as it is. */
  void plain(String line) {
    out.println(line);
    out.flush();
  }

  double elapsedSeconds() {
    return (System.nanoTime() - began) / 1e9;
  }

  /** A count with thousands separated. */
  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
