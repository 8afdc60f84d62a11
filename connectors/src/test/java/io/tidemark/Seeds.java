package io.tidemark;

import java.util.Random;

/** Random numbers of tests: from a seed that is printed, and can be given again. */
public final class Seeds {
  private Seeds() {}

  /** Random numbers for a test; {@code -Dtidemark.seed=<number>} chooses others. */
  public static Random random(String test, long usual) {
    long seed = Long.getLong("tidemark.seed", usual);
    System.out.println(test + ": -Dtidemark.seed=" + seed);
    return new Random(seed);
  }
}
