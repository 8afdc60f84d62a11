package io.tidemark.bench;

import io.tidemark.bench.ContentComparison.Differences;

/**
 * How the benchmark ended.
 *
 * @param differences between the tables of the two pipelines; with any, the results are void
 */
record Outcome(Differences differences, Results results) {

  /** The one target: never dearer than stock. */
  boolean targetMet() {
    Comparison headline = results.headline();
    return differences.none() && headline.usable() && headline.medianRatio() <= 1;
  }
}
