package io.tidemark.cli;

import io.tidemark.cli.check.CatalogView;
import io.tidemark.cli.check.KafkaCluster;
import io.tidemark.cli.check.OpenCatalogView;
import io.tidemark.cli.status.StatusJson;
import io.tidemark.cli.status.StatusReader;
import io.tidemark.cli.status.StatusText;
import io.tidemark.cli.status.TableStatus;
import io.tidemark.config.Settings;
import io.tidemark.failure.ExitCode;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description =
        "Says how the tables stand: records and files, last commit, recorded offsets and how far they"
            + " are behind Kafka. Reads metadata only, and changes nothing.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark status -c shop.yaml",
      "  tidemark status -c shop.yaml --count --format json",
      "",
      "If no broker answers, the lag is unknown and the rest is shown. Exit code 3 if the catalog does"
          + " not answer."
    })
final class StatusCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

  @Mixin private Timeout timeout = new Timeout();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table or json (default: ${DEFAULT-VALUE}); json is an object a line.")
  private String format = "table";

  @Option(
      names = "--count",
      description = "Also count the rows, which reads the keys and the deletes of the whole table.")
  private boolean count;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Duration patience = timeout.get();
    if (!List.of("table", "json").contains(format)) {
      throw Options.bad(spec, "--format", format, "table or json");
    }
    Settings settings = config.read();
    PrintWriter out = spec.commandLine().getOut();
    try (CatalogView catalog = OpenCatalogView.open(settings.catalog(), patience)) {
      List<TableStatus> tables =
          new StatusReader(
                  settings,
                  catalog,
                  count ? (table, snapshot) -> rows(settings, table, snapshot) : null,
                  Clock.systemUTC())
              .read(() -> KafkaCluster.open(settings.kafka(), patience));
      for (TableStatus table : tables) {
        if (format.equals("json")) {
          out.println(StatusJson.of(table, config::typed));
        } else {
          new StatusText(config::typed, out).print(table);
        }
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  private static long rows(Settings settings, String table, long snapshot) {
    try (TableReader reader = TableReader.open(settings.catalog(), table)) {
      return reader.count(new RowQuery(List.of(), false, null, null, snapshot));
    } catch (IOException e) {
      throw new UncheckedIOException("Table " + table + " cannot be read", e);
    }
  }
}
