package io.tidemark.cli;

import io.tidemark.cli.check.Check;
import io.tidemark.cli.check.CheckReport;
import io.tidemark.cli.check.KafkaCluster;
import io.tidemark.cli.check.OpenCatalogView;
import io.tidemark.config.Settings;
import io.tidemark.failure.ExitCode;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    description =
        "Checks everything that can be known before a run: configuration, brokers, topics, first"
            + " messages, catalog, table and recorded offsets. Changes nothing.",
    footerHeading = "%nExample:%n",
    footer = {
      "  tidemark check -c shop.yaml",
      "",
      "Prints a line for each thing looked at: ok, warn or FAIL, with what to do.",
      "Exit code 0 if nothing failed, 1 if something did, 2 if the configuration cannot be used."
    })
final class CheckCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

  @Mixin private Timeout timeout = new Timeout();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Duration patience = timeout.get();
    Settings settings = config.read();
    PrintWriter out = spec.commandLine().getOut();
    CheckReport report = new CheckReport(out, config::typed);
    new Check(settings, report)
        .run(
            () -> KafkaCluster.open(settings.kafka(), patience),
            () -> OpenCatalogView.open(settings.catalog(), patience));
    out.println(report.summary());
    out.flush();
    return report.isGood() ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }
}
