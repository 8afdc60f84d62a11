package io.tidemark.cli.check;

import io.tidemark.commit.UnavailableException;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.registry.RegistryUnavailableException;
import io.tidemark.failure.RefusedException;
import io.tidemark.row.RowShape;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that can be known before a run. What depends on something that failed is left out. */
public final class Check {
  private static final String START_BROKER =
      "start Kafka, or correct kafka.bootstrap.servers, kafka.properties or the login's rights";
  private static final String REPAIR_CATALOG =
      "start the catalog, or correct catalog.properties (type, uri, warehouse, credentials)";

  private final Settings settings;
  private final CheckReport report;

  /** Says what it finds to {@code report}. */
  public Check(Settings settings, CheckReport report) {
    this.settings = settings;
    this.report = report;
  }

  /**
   * Checks all. A supplier may throw {@link UnavailableException}, and is asked only when needed.
   */
  public void run(Supplier<? extends KafkaView> brokers, Supplier<? extends CatalogView> catalogs) {
    report.ok(
        "config",
        "job " + settings.name() + ", " + CheckReport.count(settings.routes().size(), "route"));
    if (settings.name().equals(Settings.UNNAMED)) {
      report.warn(
          "config",
          "name is "
              + settings.name()
              + ", as of every job without one: they share a consumer group",
          "give the job a name of its own: its group is for monitoring alone, and shows one job");
    }
    FlinkCheck.run(settings.flink(), report);
    try (KafkaView kafka = open("broker", START_BROKER, brokers)) {
      TableRoute route = kafka == null ? null : topics(kafka);
      try (CatalogView catalog = open("catalog", REPAIR_CATALOG, catalogs)) {
        boolean answers = catalog != null && tables(catalog);
        if (kafka != null && route != null) {
          table(kafka, answers ? catalog : null, route);
        }
      }
    }
  }

  private <T> @Nullable T open(String subject, String remedy, Supplier<T> supplier) {
    try {
      return supplier.get();
    } catch (UnavailableException e) {
      report.fail(subject, message(e), remedy);
    } catch (ConfigException e) {
      e.problems().forEach(problem -> report.fail(subject, problem.toString(), remedy));
    }
    return null;
  }

  private @Nullable TableRoute topics(KafkaView kafka) {
    try {
      return new TopicCheck(settings, report).run(kafka);
    } catch (UnavailableException e) {
      report.fail("broker", message(e), START_BROKER);
    } catch (ConfigException e) {
      e.problems()
          .forEach(
              problem ->
                  report.fail("topics", problem.toString(), "change kafka.topics or routes"));
    }
    return null;
  }

  private boolean tables(CatalogView catalog) {
    Map<String, String> properties = settings.catalog().properties();
    String type = properties.getOrDefault("type", properties.getOrDefault("catalog-impl", "?"));
    try {
      int count = catalog.tables().size();
      report.ok(
          "catalog",
          settings.catalog().name() + " (" + type + "), " + CheckReport.count(count, "table"));
      String problem = Warehouse.problem(properties.get("warehouse"));
      if (problem != null) {
        report.fail(
            "catalog",
            "catalog.properties.warehouse: " + problem,
            "name a directory that the job may write, or give it the right to");
      }
      return true;
    } catch (UnavailableException e) {
      report.fail("catalog", message(e), REPAIR_CATALOG);
      return false;
    }
  }

  private void table(KafkaView kafka, @Nullable CatalogView catalog, TableRoute route) {
    TargetCheck target = new TargetCheck(report, route);
    try {
      TargetCheck.Target found = catalog == null ? null : target.look(catalog);
      RowShape shape =
          new RecordCheck(settings, report, route)
              .run(kafka, found == null ? null : found.description());
      if (found != null && catalog != null) {
        target.judge(kafka, catalog, found, shape);
      }
    } catch (UnavailableException e) {
      report.fail("table", message(e), "look at the broker and the catalog");
    } catch (RefusedException e) {
      report.fail("table", String.valueOf(e.getMessage()), "see docs/recovery.md");
    } catch (RegistryUnavailableException e) {
      report.fail(
          "registry",
          String.valueOf(e.getMessage()),
          e.answered()
              ? "correct kafka.registry: its URL, or who it connects as"
              : "start the schema registry, or correct its URL in kafka.registry");
    }
  }

  private static String message(UnavailableException e) {
    return String.valueOf(e.getMessage());
  }
}
