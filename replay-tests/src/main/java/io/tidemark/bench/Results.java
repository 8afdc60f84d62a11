package io.tidemark.bench;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * All that was measured.
 *
 * @param fewer drains of the shorter topic; null without the marginal method
 * @param full drains of the whole topic
 */
record Results(@Nullable Rounds fewer, Rounds full) {

  private static final String ROW = "  %-36s %10s %10s   %s";

  /** The figure that the target is about: CPU time by event. */
  Comparison headline() {
    return fewer == null
        ? Comparison.of(full, drain -> drain.used().cpuSeconds() / full.topic().events())
        : Comparison.marginal(fewer, full, drain -> drain.used().cpuSeconds());
  }

  void print(PrintWriter out) {
    out.println(
        ROW.formatted("", Side.TIDEMARK.title(), Side.STOCK.title(), "Tidemark/stock, min..max"));
    if (fewer != null) {
      printMarginal(out, fewer);
    }
    int events = full.topic().events();
    out.printf(Locale.ROOT, "Whole run, %,d events, start-up and JIT compiler included%n", events);
    print(out, "CPU-s per million events", 1, million(full, events));
    print(out, "CPU-s", 1, Comparison.of(full, drain -> drain.used().cpuSeconds()));
    print(out, "events/s", 0, Comparison.of(full, drain -> events / drain.used().wallSeconds()));
    print(out, "MB written", 1, Comparison.of(full, drain -> drain.written().bytes() / 1e6));
    print(out, "Parquet files", 0, Comparison.of(full, drain -> drain.written().parquetFiles()));
    out.flush();
  }

  private void printMarginal(PrintWriter out, Rounds shorter) {
    int n1 = shorter.topic().events();
    int n2 = full.topic().events();
    out.printf(
        Locale.ROOT, "Marginal, (T(%,d) - T(%,d)) / %,d: start-up is taken out%n", n2, n1, n2 - n1);
    Comparison cpu = headline();
    Comparison wall = Comparison.marginal(shorter, full, drain -> drain.used().wallSeconds());
    print(out, "CPU-s per million events", 1, scaled(cpu, 1e6));
    print(out, "events/s", 0, inverse(wall));
  }

  private static Comparison million(Rounds rounds, int events) {
    return scaled(Comparison.of(rounds, drain -> drain.used().cpuSeconds()), 1e6 / events);
  }

  private static Comparison scaled(Comparison values, double factor) {
    return new Comparison(
        Arrays.stream(values.tidemark()).map(value -> value * factor).toArray(),
        Arrays.stream(values.stock()).map(value -> value * factor).toArray());
  }

  private static Comparison inverse(Comparison values) {
    return new Comparison(
        Arrays.stream(values.tidemark()).map(value -> 1 / value).toArray(),
        Arrays.stream(values.stock()).map(value -> 1 / value).toArray());
  }

  private static void print(PrintWriter out, String name, int digits, Comparison values) {
    String number = "%,." + digits + "f";
    double[] ratios = values.ratios();
    String ratio =
        values.usable()
            ? String.format(
                Locale.ROOT,
                "%.2f  (%.2f..%.2f)",
                values.medianRatio(),
                Arrays.stream(ratios).min().orElseThrow(),
                Arrays.stream(ratios).max().orElseThrow())
            : "n/a: too little to measure";
    out.println(
        ROW.formatted(
            name,
            String.format(Locale.ROOT, number, values.medianTidemark()),
            String.format(Locale.ROOT, number, values.medianStock()),
            ratio));
  }
}
