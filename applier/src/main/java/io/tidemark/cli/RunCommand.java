package io.tidemark.cli;

import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.config.StartPosition;
import io.tidemark.failure.ExitCode;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description =
        "Applies the changes of the topics to the table, on a Flink in this process, until it is"
            + " stopped. The table itself knows how far it is, so a run may be stopped, killed and"
            + " started again at any time.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark run -c shop.yaml",
      "  tidemark run -c shop.yaml --until caught-up",
      "  tidemark run -c shop.yaml --from earliest        replays everything; changes no row",
      "  tidemark run -c shop.yaml --from earliest --dry-run        says what it would change",
      "  tidemark run -c shop.yaml --from timestamp=2026-01-31T12:00:00Z",
      "  tidemark run -c shop.yaml --from shop.public.orders:0=1200,shop.public.orders:1=980",
      "",
      "Exit code 0 when it caught up, 2 if the configuration cannot be used, 3 if the run failed."
    })
final class RunCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

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
              + " What is left out is written into the table's record, for good.")
  private boolean acceptGap;

  @Option(
      names = "--accept-horizon",
      description =
          "Take unknown keys for new ones also before the table's horizon, where they may be deleted"
              + " keys that are forgotten (tombstones.retention). Their rows come back until their"
              + " deletes are read.")
  private boolean acceptHorizon;

  @Option(
      names = "--dry-run",
      description =
          "Read and join everything that is in the topics now and say what it would change. Writes"
              + " nothing: no file, no commit, no table, no dead letter.")
  private boolean dryRun;

  @Option(
      names = "--progress",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Time between two lines of progress (default: ${DEFAULT-VALUE}).")
  private int progressSeconds;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    Duration interval = Options.positiveSeconds(spec, "--progress", progressSeconds);
    RunOptions options = options();
    Settings settings = config.read();
    PrintWriter out = spec.commandLine().getOut();
    if (dryRun) {
      DryRunText.print(LocalJob.dryRun(settings, options), out);
      return ExitCode.OK;
    }
    try (LocalJob job = LocalJob.start(settings, options);
        Shutdown shutdown = Shutdown.of(job, out)) {
      out.println("Job " + settings.name() + " started. Flink's web UI: " + job.webUi());
      out.flush();
      try (TableProgress table = new TableProgress(settings, interval)) {
        ProgressReporter progress =
            new ProgressReporter(table, out, Clock.system(ZoneId.systemDefault()));
        try (progress) {
          progress.start(interval);
          await(job, shutdown);
        }
        progress.summary(shutdown.wasAsked() ? "Stopped" : "Caught up");
      }
    }
    return ExitCode.OK;
  }

  /** A job that was asked to stop may end with an exception, which is no failure. */
  private static void await(LocalJob job, Shutdown shutdown) throws InterruptedException {
    try {
      job.await();
    } catch (RuntimeException e) {
      if (!shutdown.wasAsked()) {
        throw e;
      }
    }
  }

  private RunOptions options() {
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
