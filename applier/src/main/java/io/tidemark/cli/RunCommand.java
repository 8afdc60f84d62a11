package io.tidemark.cli;

import io.tidemark.config.Settings;
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
import picocli.CommandLine.ParameterException;
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
      "  tidemark run -c shop.yaml --from earliest             # replays everything; changes no row",
      "  tidemark run -c shop.yaml --from earliest --dry-run   # says what it would change",
      "  tidemark run -c shop.yaml --from timestamp=2026-01-31T12:00:00Z",
      "  tidemark run -c shop.yaml --from shop.public.orders:0=1200,shop.public.orders:1=980",
      "",
      "Exit code 0 when it caught up, 2 if the configuration cannot be used, 3 if the run failed."
    })
final class RunCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

  @Mixin private StartOptions start = new StartOptions();

  @Option(
      names = "--dry-run",
      description =
          "Read and join everything that is in the topics now and say what it would change. Writes"
              + " nothing: no file, no commit, no table, no dead letter.")
  private boolean dryRun;

  @Mixin private ListLimit limit = new ListLimit();

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
    RunOptions options = start.read(spec);
    limit.get(); // refused before anything is read
    if (!dryRun && spec.commandLine().getParseResult().hasMatchedOption("--limit")) {
      throw new ParameterException(
          spec.commandLine(), "--limit belongs to --dry-run: a run lists nothing");
    }
    Settings settings = config.read();
    PrintWriter out = spec.commandLine().getOut();
    if (dryRun) {
      DryRunText.print(LocalJob.dryRun(settings, options), limit.get(), config::typed, out);
      return ExitCode.OK;
    }
    try (LocalJob job = LocalJob.start(settings, options);
        Shutdown shutdown = Shutdown.of(job, out)) {
      out.println("Job " + settings.name() + " started. Flink's web UI: " + job.webUi());
      out.flush();
      try (TableProgress table = new TableProgress(settings, interval)) {
        ProgressReporter progress =
            new ProgressReporter(
                table, job::health, config::typed, out, Clock.system(ZoneId.systemDefault()));
        try (progress) {
          progress.start(interval);
          LocalJob.Outcome outcome = await(job, shutdown);
          progress.summary(shutdown.wasAsked() ? "Stopped" : "Caught up", outcome);
        }
      }
    }
    return ExitCode.OK;
  }

  /** A job that was asked to stop may end with an exception, which is no failure. */
  private static LocalJob.@Nullable Outcome await(LocalJob job, Shutdown shutdown)
      throws InterruptedException {
    try {
      return job.await();
    } catch (RuntimeException e) {
      if (!shutdown.wasAsked()) {
        throw e;
      }
      return null;
    }
  }
}
