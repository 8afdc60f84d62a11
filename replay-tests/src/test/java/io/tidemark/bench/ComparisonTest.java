package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.bench.ContentComparison.Differences;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  @Test
  void marginalCostLeavesOutWhatBothSizesNeed() {
    Comparison marginal =
        Comparison.marginal(
            rounds(100, new double[] {5 + 1}, new double[] {20 + 2}),
            rounds(300, new double[] {5 + 3}, new double[] {20 + 6}),
            drain -> drain.used().cpuSeconds());
    assertThat(marginal.tidemark()).containsExactly(2 / 200.0);
    assertThat(marginal.stock()).containsExactly(4 / 200.0);
    assertThat(marginal.medianRatio()).isEqualTo(0.5);
  }

  @Test
  void medianIsTheMiddleOrBetweenTheTwo() {
    assertThat(Comparison.median(new double[] {9, 1, 2})).isEqualTo(2);
    assertThat(Comparison.median(new double[] {4, 1})).isEqualTo(2.5);
  }

  @Test
  void dearerThanStockMissesTheTarget() {
    assertThat(outcome(10, 10, 0).targetMet()).isTrue();
    assertThat(outcome(10.1, 10, 0).targetMet()).isFalse();
  }

  @Test
  void differentTablesMissTheTarget() {
    assertThat(outcome(1, 10, 1).targetMet()).isFalse();
  }

  @Test
  void growthThatCannotBeMeasuredMissesTheTarget() {
    Rounds fewer = rounds(100, new double[] {5}, new double[] {5});
    Rounds more = rounds(300, new double[] {4}, new double[] {6});
    Outcome outcome = new Outcome(new Differences(0, List.of()), new Results(fewer, more));
    assertThat(outcome.results().headline().usable()).isFalse();
    assertThat(outcome.targetMet()).isFalse();
  }

  private static Outcome outcome(double tidemark, double stock, int differences) {
    return new Outcome(
        new Differences(differences, List.of()),
        new Results(null, rounds(300, new double[] {tidemark}, new double[] {stock})));
  }

  private static Rounds rounds(int events, double[] tidemark, double[] stock) {
    Rounds rounds = new Rounds(new Topic("t", events, events, 1_000, 10));
    for (int i = 0; i < tidemark.length; i++) {
      rounds.add(Side.TIDEMARK, drain(tidemark[i]));
      rounds.add(Side.STOCK, drain(stock[i]));
    }
    return rounds;
  }

  private static Drain drain(double cpuSeconds) {
    return new Drain(new Measured(cpuSeconds, 1), new Footprint(1, 1));
  }
}
