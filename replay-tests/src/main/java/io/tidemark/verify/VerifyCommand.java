package io.tidemark.verify;

import io.tidemark.cli.ConfigFile;
import io.tidemark.cli.ListLimit;
import io.tidemark.cli.SnapshotId;
import io.tidemark.cli.Timeout;
import io.tidemark.cli.check.CatalogView;
import io.tidemark.cli.check.KafkaCluster;
import io.tidemark.cli.check.KafkaView;
import io.tidemark.cli.check.OpenCatalogView;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.config.Topics;
import io.tidemark.failure.ExitCode;
import io.tidemark.iceberg.TableState;
import io.tidemark.job.SideTopics;
import io.tidemark.job.TableRepair;
import io.tidemark.oracle.Damage;
import io.tidemark.oracle.Findings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code tidemark verify}. */
@Command(
    name = "verify",
    description = {
      "Compares a table with its log. Reads the log again, up to the offsets that the table's record"
          + " names, works out with code of its own what each key must hold, and compares every key"
          + " and column with the table, the tombstones with the deleted keys, and the files with"
          + " those that are there. Without --repair it changes nothing, and the job need not be"
          + " stopped.",
      "",
      "With --repair it then puts right what differs, in one commit: the rows of the keys that differ go,"
          + " and the changes that stand at them are read again and take the way that all changes take."
          + " What the log does not say for certain is left, with the reason. The job must be stopped, and"
          + " starts without state afterwards.",
      "",
      "The log is streamed. Memory grows with the number of keys, not with the length of the log: about"
          + " 300 bytes for each, and 8 for each of its columns. JAVA_OPTS=-Xmx8g gives it more."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  tidemark verify -c shop.yaml",
      "  tidemark verify -c shop.yaml public.orders --limit 50 --values",
      "  tidemark verify -c shop.yaml public.orders --repair --dry-run",
      "  tidemark verify -c shop.yaml public.orders --repair",
      "",
      "A log that has lost its beginning is compared as far as it goes: rows that only the lost part can"
          + " explain are counted.",
      "Exit code 0 if all is equal, 1 if there are differences, 2 if the table or the configuration"
          + " cannot be used, 3 if the broker or the catalog cannot be reached."
    })
public final class VerifyCommand implements Callable<Integer> {

  private static final Duration PROGRESS = Duration.ofSeconds(5);

  @Mixin private ConfigFile config = new ConfigFile();

  @Mixin private Timeout timeout = new Timeout();

  @Parameters(
      arity = "0..1",
      paramLabel = "TABLE",
      description = "Full name of the table, such as shop.orders. Without it: all of the file.")
  private @Nullable String table;

  @Mixin private SnapshotId snapshot = new SnapshotId();

  @Mixin private ListLimit limit = new ListLimit();

  @Option(
      names = "--values",
      description = "Also show what differs. Without it, of the rows only their keys are shown.")
  private boolean values;

  @Option(names = "--repair", description = "Put right what differs, and compare again.")
  private boolean repair;

  @Option(names = "--dry-run", description = "With --repair: only say what it would do.")
  private boolean dryRun;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    Duration patience = timeout.get();
    limit.get(); // refused before anything is read
    if (repair && snapshot.get() != null) {
      throw new ParameterException(
          spec.commandLine(), "--repair is for the current snapshot: leave --snapshot out");
    }
    if (dryRun && !repair) {
      throw new ParameterException(
          spec.commandLine(),
          "--dry-run belongs to --repair: without it nothing is changed anyway");
    }
    Settings settings = config.read();
    boolean equal = true;
    try (KafkaView kafka = KafkaCluster.open(settings.kafka(), patience);
        LogReader log = new LogReader(settings.kafka(), patience)) {
      for (TableRoute route : routes(settings, kafka)) {
        requireTable(settings, route.table(), patience);
        equal &= verify(settings, route, kafka, log);
      }
    } catch (UncheckedIOException e) {
      throw new UnavailableException("The table cannot be read: " + e.getCause(), e);
    }
    return equal ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }

  private boolean verify(Settings settings, TableRoute route, KafkaView kafka, LogReader log) {
    PrintWriter out = spec.commandLine().getOut();
    Repair found;
    try (PinnedTable pinned = open(settings, route.table())) {
      RepairList damage =
          new RepairList(SnapshotUtil.schemaFor(pinned.main(), pinned.record().snapshot()));
      TableVerifier.Outcome outcome =
          compare(settings, route, pinned, kafka, log, repair ? damage : Damage.IGNORED);
      if (outcome.findings().isEmpty() || !repair) {
        return outcome.findings().isEmpty();
      }
      found = new Repair(outcome, damage);
    }
    out.println();
    found.refusals().forEach(out::println);
    if (dryRun || !found.isNeeded()) {
      out.println(
          (dryRun && found.isNeeded()
                  ? "Would be repaired: " + found.plan()
                  : "Nothing can be repaired")
              + ".");
      out.flush();
      return false;
    }
    repair(found, settings, route, log, out);
    try (PinnedTable pinned = open(settings, route.table())) {
      return compare(settings, route, pinned, kafka, log, Damage.IGNORED).findings().isEmpty();
    }
  }

  private static void repair(
      Repair found, Settings settings, TableRoute route, LogReader log, PrintWriter out) {
    try {
      TableRepair.Repaired done = found.run(settings, route, log);
      String left = found.unsent();
      if (left != null) {
        out.println(left);
      }
      if (done == null) {
        out.println("Nothing was repaired.");
      } else {
        out.printf(
            Locale.ROOT,
            "REPAIRED by commit %s: %,d rows went, %,d changes were applied again.%n%n",
            done.commitId(),
            done.removed(),
            done.reapplied());
      }
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("Interrupted while the table was repaired", e);
    }
  }

  private TableVerifier.Outcome compare(
      Settings settings,
      TableRoute route,
      PinnedTable pinned,
      KafkaView kafka,
      LogReader log,
      Damage damage) {
    PrintWriter out = spec.commandLine().getOut();
    ProgressLines progress = new ProgressLines(spec.commandLine().getErr(), PROGRESS);
    TableVerifier verifier =
        new TableVerifier(settings, route, pinned, new Findings(limit.get()), progress);
    TableVerifier.Outcome outcome = verifier.run(kafka, log, damage);
    VerifyReport report = new VerifyReport(out, route.table(), outcome, config::typed);
    report.print(values ? place -> verifier.row(log, place) : null);
    out.flush();
    return outcome;
  }

  private PinnedTable open(Settings settings, String name) {
    try {
      return PinnedTable.open(settings.catalog(), name, snapshot.get());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private List<TableRoute> routes(Settings settings, KafkaView kafka) {
    Set<String> topics = new TreeSet<>(kafka.topics());
    topics.removeIf(topic -> !settings.kafka().topics().contains(topic));
    topics = SideTopics.choose(settings.kafka().topics(), topics, kafka::isSide).tables();
    if (settings.kafka().topics() instanceof Topics.Named named) {
      topics.addAll(named.names()); // a topic that is gone has left its table behind
    }
    List<TableRoute> routes = settings.routes(topics);
    List<TableRoute> wanted =
        routes.stream().filter(route -> table == null || route.table().equals(table)).toList();
    if (wanted.isEmpty()) {
      List<String> tables = routes.stream().map(TableRoute::table).toList();
      throw new ParameterException(
          spec.commandLine(),
          table == null
              ? "No topic matches kafka.topics: " + settings.kafka().topics()
              : "No topic goes into table " + table + ". There are: " + String.join(", ", tables));
    }
    return wanted;
  }

  private void requireTable(Settings settings, String name, Duration patience) {
    try (CatalogView catalog = OpenCatalogView.open(settings.catalog(), patience)) {
      TableState state = catalog.state(name);
      if (state == TableState.ABSENT) {
        throw new ParameterException(
            spec.commandLine(), "Catalog " + settings.catalog().name() + " has no table " + name);
      }
    }
  }
}
