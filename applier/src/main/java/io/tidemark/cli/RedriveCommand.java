package io.tidemark.cli;

import io.tidemark.commit.UnavailableException;
import io.tidemark.config.Settings;
import io.tidemark.failure.ExitCode;
import io.tidemark.job.Redrive;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "redrive",
    description = {
      "Puts dead letters back: reads errors.topic, decodes each letter as the record that it was at its"
          + " original topic, partition and offset, and joins it with what the table knows of its key."
          + " A newer change of the key stands. All of it is one commit; doing it again changes"
          + " nothing. Nothing is written to Kafka. Stop the job first.",
      "",
      "A corrected record is a letter with the same tidemark.… headers but tidemark.problem, in the same"
          + " topic; the newest counts. One with the header tidemark.drop leaves the record out."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark redrive -c shop.yaml --dry-run",
      "  tidemark redrive -c shop.yaml",
      "",
      "Exit code 0 if no letter is refused, 1 if some still are, 2 if the configuration cannot be used, 3"
          + " if it failed."
    })
final class RedriveCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

  @Option(names = "--dry-run", description = "Only say what it would change. Writes nothing.")
  private boolean dryRun;

  @Option(
      names = "--accept-horizon",
      description =
          "Take changes from before the table's horizon, whose keys are not known, for changes of new"
              + " keys (docs/recovery.md).")
  private boolean acceptHorizon;

  @Mixin private ListLimit limit = new ListLimit();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    int lines = limit.get();
    Settings settings = config.read();
    try {
      Redrive.Result result = Redrive.run(settings, acceptHorizon, dryRun);
      print(result, lines, spec.commandLine().getOut());
      return result.refused().isEmpty() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    } catch (IOException e) {
      throw new UnavailableException("The table cannot be read or written: " + e.getMessage(), e);
    }
  }

  private void print(Redrive.Result result, int limit, PrintWriter out) {
    line(out, "table       %s, dead letters in %s", result.table(), result.topic());
    others(result, out);
    if (result.dropped() > 0) {
      line(out, "left out    %,d by tidemark.drop", result.dropped());
    }
    if (result.empty() > 0) {
      line(out, "no change   %,d that say nothing of a row", result.empty());
    }
    line(
        out,
        "in place    %,d that the table has, or a newer change of their key",
        result.unchanged());
    line(
        out,
        "%s %,d: %,d rows written, %,d keys deleted",
        dryRun ? "would go in" : "put back   ",
        result.changing(),
        result.upserts(),
        result.deletes());
    if (result.commitId() != null) {
      line(out, "commit      %s", result.commitId());
    }
    List<Redrive.Refused> refused = result.refused();
    line(out, "refused     %,d", refused.size());
    for (Redrive.Refused each : refused.subList(0, Math.min(limit, refused.size()))) {
      line(
          out,
          "  %s (letter: %s): %s",
          each.record() == null ? "a record that is not named" : each.record(),
          each.letter(),
          config.typed(each.problem()));
    }
    if (refused.size() > limit) {
      line(out, "  and %,d more", refused.size() - limit);
    }
    out.flush();
  }

  private static void others(Redrive.Result result, PrintWriter out) {
    if (result.ofOthers() > 0) {
      line(out, "passed over %,d letters of other topics", result.ofOthers());
    }
    if (result.inGaps() > 0) {
      line(
          out,
          "left out    %,d letters of records in accepted gaps (tidemark.gaps)",
          result.inGaps());
    }
    if (result.ofFormer() > 0) {
      line(
          out,
          "passed over %,d letters of a topic of this name that was deleted",
          result.ofFormer());
    }
  }

  private static void line(PrintWriter out, String format, Object... arguments) {
    out.println(String.format(Locale.ROOT, format, arguments));
  }
}
