package io.tidemark.job;

import io.tidemark.config.StartFrom;

/**
 * How a job runs this time.
 *
 * @param untilCaughtUp whether it ends once all that was in Kafka at its start is in the table
 * @param from where it starts to read; above the table's record is refused
 * @param acceptGaps whether it goes on without what Kafka does not have any more, or what {@code
 *     from} skips, and writes that into the table's record
 * @param acceptHorizon whether unknown keys are new keys also before the table's horizon, where
 *     they may be deleted ones that are forgotten
 */
public record RunOptions(
    boolean untilCaughtUp, StartFrom from, boolean acceptGaps, boolean acceptHorizon) {

  /** Options that leave nothing out. */
  public RunOptions(boolean untilCaughtUp, StartFrom from) {
    this(untilCaughtUp, from, false, false);
  }

  /** Goes on from the table's record, for ever. */
  public static RunOptions streaming() {
    return new RunOptions(false, new StartFrom.Recorded());
  }

  /** Goes on from the table's record up to what is in Kafka now. */
  public static RunOptions catchUp() {
    return new RunOptions(true, new StartFrom.Recorded());
  }

  /** The same from another place. */
  public RunOptions from(StartFrom place) {
    return new RunOptions(untilCaughtUp, place, acceptGaps, acceptHorizon);
  }

  /** The same, without what cannot be read or is skipped. */
  public RunOptions acceptingGaps() {
    return new RunOptions(untilCaughtUp, from, true, acceptHorizon);
  }

  /** The same, where unknown keys are new keys in all times. */
  public RunOptions acceptingHorizon() {
    return new RunOptions(untilCaughtUp, from, acceptGaps, true);
  }
}
