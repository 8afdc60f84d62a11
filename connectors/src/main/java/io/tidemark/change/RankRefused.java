package io.tidemark.change;

import java.util.OptionalLong;

/** A record whose place in the order cannot be known; the message says why and what to do. */
public final class RankRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long epochAt;
  private final boolean inAllPartitions;

  /** A refusal for the given reason, which names no row contents. */
  public RankRefused(String reason) {
    this(reason, -1, false);
  }

  private RankRefused(String reason, long epochAt, boolean inAllPartitions) {
    super(reason);
    this.epochAt = epochAt;
    this.inAllPartitions = inAllPartitions;
  }

  /**
   * A refusal that an epoch ends.
   *
   * @param offset where it must begin in the record's partition
   * @param inAllPartitions whether the others must begin it too
   */
  static RankRefused untilAnEpochBegins(String reason, long offset, boolean inAllPartitions) {
    return new RankRefused(reason, offset, inAllPartitions);
  }

  /** Where an epoch must begin in the record's partition to go on; empty if that is no remedy. */
  public OptionalLong epochAt() {
    return epochAt < 0 ? OptionalLong.empty() : OptionalLong.of(epochAt);
  }

  /** Whether the topic's other partitions must begin that epoch too. */
  public boolean inAllPartitions() {
    return inAllPartitions;
  }
}
