package io.tidemark.job;

import io.tidemark.config.StartFrom;

/**
 * How a job runs this time.
 *
 * @param untilCaughtUp whether it ends once all that was in Kafka at its start is in the table
 * @param from where it starts to read; above the table's record is refused
 */
public record RunOptions(boolean untilCaughtUp, StartFrom from) {

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
    return new RunOptions(untilCaughtUp, place);
  }
}
