package io.tidemark.replay;

import java.util.Random;
import java.util.stream.LongStream;

/** The seeds of tests: printed, and to be given again with {@code -Dtidemark.seed=<number>}. */
public final class Seed {

  private Seed() {}

  /** The seed of a test. */
  public static long of(String test, long usual) {
    long seed = Long.getLong("tidemark.seed", usual);
    System.out.println(test + ": -Dtidemark.seed=" + seed);
    return seed;
  }

  /** Random numbers of a test. */
  public static Random random(String test, long usual) {
    return new Random(of(test, usual));
  }

  /** The seeds from 1 to a count, or the one that was asked for. */
  public static LongStream upTo(String test, long count) {
    Long given = Long.getLong("tidemark.seed");
    System.out.println(
        test + ": " + (given == null ? "seeds 1 to " + count : "-Dtidemark.seed=" + given));
    return given == null ? LongStream.rangeClosed(1, count) : LongStream.of(given);
  }
}
