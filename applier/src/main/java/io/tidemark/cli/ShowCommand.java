package io.tidemark.cli;

import io.tidemark.cli.check.CatalogView;
import io.tidemark.cli.check.OpenCatalogView;
import io.tidemark.config.CatalogSettings;
import io.tidemark.config.Names;
import io.tidemark.failure.ExitCode;
import io.tidemark.iceberg.RowQuery;
import io.tidemark.iceberg.TableReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "Reads a table: its rows in the order of their keys, or how many there are.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark show -c shop.yaml shop.orders",
      "  tidemark show -c shop.yaml shop.orders --where \"id >= 100 and status = 'new'\" --limit 10",
      "  tidemark show -c shop.yaml shop.orders --count",
      "  tidemark show -c shop.yaml shop.orders --format json --meta",
      "",
      "Exit code 2 if there is no such table or the filter cannot be read."
    })
final class ShowCommand implements Callable<Integer> {

  @Mixin private ConfigFile config = new ConfigFile();

  @Mixin private Timeout timeout = new Timeout();

  @Parameters(paramLabel = "TABLE", description = "Full name of the table, such as shop.orders.")
  private String table = "";

  @Option(
      names = "--where",
      paramLabel = "FILTER",
      description = "Only rows for which this holds: comparisons joined by and.")
  private @Nullable String where;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description = "At most so many rows, lowest keys first.")
  private @Nullable Integer limit;

  @Option(names = "--count", description = "Print the number of rows, and nothing else.")
  private boolean count;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, json or csv (default: ${DEFAULT-VALUE}); json is an object a line.")
  private String format = "table";

  @Mixin private SnapshotId snapshot = new SnapshotId();

  @Option(
      names = "--meta",
      description = "Also the columns that Tidemark adds: _commit_version and others.")
  private boolean meta;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    Duration patience = timeout.get();
    if (limit != null && limit < 0) {
      throw Options.bad(spec, "--limit", String.valueOf(limit), "a number of rows, at least 0");
    }
    ShowFormat rows = format();
    CatalogSettings catalog = config.read().catalog();
    requireTable(catalog, patience);
    RowQuery query = new RowQuery(List.of(), meta, where, limit, snapshot.get());
    PrintWriter out = spec.commandLine().getOut();
    try (TableReader reader = TableReader.open(catalog, table)) {
      if (count) {
        out.println(reader.count(query));
      } else {
        rows.print(reader, query, out);
      }
    } catch (IllegalArgumentException e) {
      throw new CannotUseException(String.valueOf(e.getMessage()));
    }
    out.flush();
    return ExitCode.OK;
  }

  private ShowFormat format() {
    for (ShowFormat known : ShowFormat.values()) {
      if (Names.of(known).equals(format)) {
        return known;
      }
    }
    throw Options.bad(spec, "--format", format, "table, json or csv");
  }

  private void requireTable(CatalogSettings settings, Duration patience) {
    try (CatalogView catalog = OpenCatalogView.open(settings, patience)) {
      List<String> tables = catalog.tables();
      if (!tables.contains(table)) {
        throw new CannotUseException(absent(settings.name(), table, tables));
      }
    }
  }

  static String absent(String catalog, String table, List<String> tables) {
    String there =
        tables.isEmpty()
            ? "The catalog has no tables yet."
            : "There are: " + String.join(", ", tables) + ".";
    return "Catalog "
        + catalog
        + " has no table "
        + table
        + ". "
        + Names.nearest(table, tables).map(near -> "Did you mean " + near + "? ").orElse("")
        + there;
  }
}
