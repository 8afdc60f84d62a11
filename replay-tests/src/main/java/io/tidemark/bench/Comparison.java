package io.tidemark.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One quantity, measured for both pipelines in each round.
 *
 * @param tidemark by round
 * @param stock by round
 */
record Comparison(double[] tidemark, double[] stock) {

  /** A quantity of whole drains. */
  static Comparison of(Rounds rounds, ToDoubleFunction<Drain> quantity) {
    return new Comparison(
        values(rounds.of(Side.TIDEMARK), quantity), values(rounds.of(Side.STOCK), quantity));
  }

  /**
   * What one more event costs: what the longer drain needs beyond the shorter, by event. What both
   * need alike, such as starting Flink and warming up, falls out.
   */
  static Comparison marginal(Rounds fewer, Rounds more, ToDoubleFunction<Drain> quantity) {
    Comparison little = of(fewer, quantity);
    Comparison much = of(more, quantity);
    int events = more.topic().events() - fewer.topic().events();
    return new Comparison(
        slopes(little.tidemark, much.tidemark, events), slopes(little.stock, much.stock, events));
  }

  double medianTidemark() {
    return median(tidemark);
  }

  double medianStock() {
    return median(stock);
  }

  /** Tidemark's part of stock, by round. */
  double[] ratios() {
    double[] ratios = new double[tidemark.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = tidemark[i] / stock[i];
    }
    return ratios;
  }

  double medianRatio() {
    return median(ratios());
  }

  /** Whether every round gave a positive number on both sides. */
  boolean usable() {
    return Arrays.stream(tidemark).allMatch(value -> value > 0)
        && Arrays.stream(stock).allMatch(value -> value > 0);
  }

  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static double[] values(List<Drain> drains, ToDoubleFunction<Drain> quantity) {
    return drains.stream().mapToDouble(quantity).toArray();
  }

  private static double[] slopes(double[] fewer, double[] more, int events) {
    double[] slopes = new double[more.length];
    for (int i = 0; i < slopes.length; i++) {
      slopes[i] = (more[i] - fewer[i]) / events;
    }
    return slopes;
  }
}
