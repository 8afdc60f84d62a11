package io.tidemark.cli;

import io.tidemark.config.StartFrom;
import io.tidemark.config.StartPosition;
import io.tidemark.job.RunOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options that say how a job starts and ends. */
final class StartOptions {

  @Option(
      names = "--until",
      paramLabel = "caught-up",
      description =
          "End when everything that was in the topics at the start is committed. Without it the run"
              + " goes on.")
  private @Nullable String until;

  @Option(
      names = "--from",
      paramLabel = "POSITION",
      defaultValue = "recorded",
      description =
          "Where to read from: recorded (default: where the table's record ends, else kafka.start),"
              + " earliest, latest, timestamp=<ISO-8601 time with zone, or milliseconds>, or"
              + " <topic>:<partition>=<offset>,...")
  private String from = "recorded";

  @Option(
      names = "--accept-gap",
      description =
          "Go on where Kafka does not have the recorded offsets any more, or where --from skips some."
              + " What is left out is written into the table's record, and stays left out for good.")
  private boolean acceptGap;

  @Option(
      names = "--accept-horizon",
      description =
          "Take unknown keys for new ones also before the table's horizon, where they may be deleted"
              + " keys that are forgotten (tombstones.retention). Their rows come back until their"
              + " deletes are read.")
  private boolean acceptHorizon;

  /**
   * What was asked for.
   *
   * @param spec of the command that has these options
   */
  RunOptions read(CommandSpec spec) {
    if (until != null && !until.equals("caught-up")) {
      throw Options.bad(spec, "--until", until, "caught-up");
    }
    try {
      return new RunOptions(until != null, StartFrom.parse(from), acceptGap, acceptHorizon);
    } catch (IllegalArgumentException e) {
      String more = e.getMessage() == null ? "" : ": " + e.getMessage();
      throw Options.bad(spec, "--from", from, "recorded, " + StartPosition.EXPECTED + more);
    }
  }
}
