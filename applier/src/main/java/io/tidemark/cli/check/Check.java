package io.tidemark.cli.check;

import io.tidemark.commit.UnavailableException;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Everything that can be known before a run. What depends on something that failed is left out. */
public final class Check {
  private static final String START_BROKER =
      "start Kafka, or correct kafka.bootstrap.servers or kafka.properties";
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
    report.ok("config", "job " + settings.name() + ", " + settings.routes().size() + " routes");
    try (KafkaView kafka = open("broker", START_BROKER, brokers)) {
      TableRoute route = kafka == null ? null : topics(kafka);
      RecordCheck.Found found =
          kafka == null || route == null ? RecordCheck.Found.NOTHING : records(kafka, route);
      try (CatalogView catalog = open("catalog", REPAIR_CATALOG, catalogs)) {
        boolean answers = catalog != null && tables(catalog);
        if (kafka != null && catalog != null && route != null && answers) {
          table(kafka, catalog, route, found);
        }
      }
    }
  }

  private <T> @Nullable T open(String subject, String remedy, Supplier<T> supplier) {
    try {
      return supplier.get();
    } catch (UnavailableException e) {
      report.fail(subject, message(e), remedy);
      return null;
    }
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

  private RecordCheck.Found records(KafkaView kafka, TableRoute route) {
    try {
      return new RecordCheck(settings, report).run(kafka, route);
    } catch (UnavailableException e) {
      report.fail("records", message(e), START_BROKER);
      return RecordCheck.Found.NOTHING;
    }
  }

  private boolean tables(CatalogView catalog) {
    Map<String, String> properties = settings.catalog().properties();
    String type = properties.getOrDefault("type", properties.getOrDefault("catalog-impl", "?"));
    try {
      int count = catalog.tables().size();
      report.ok("catalog", settings.catalog().name() + " (" + type + "), " + count + " tables");
      return true;
    } catch (UnavailableException e) {
      report.fail("catalog", message(e), REPAIR_CATALOG);
      return false;
    }
  }

  private void table(
      KafkaView kafka, CatalogView catalog, TableRoute route, RecordCheck.Found records) {
    try {
      new TargetCheck(report).run(kafka, catalog, route, records);
    } catch (UnavailableException e) {
      report.fail("table", message(e), REPAIR_CATALOG);
    }
  }

  private static String message(UnavailableException e) {
    return String.valueOf(e.getMessage());
  }
}
