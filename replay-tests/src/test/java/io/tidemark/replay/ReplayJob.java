package io.tidemark.replay;

import io.tidemark.commit.RecordCodec;
import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.FileReport;
import io.tidemark.oracle.Invariants;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawLog;
import io.tidemark.oracle.TableReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * The real job of one topic, from its YAML file on.
 *
 * @param kafka consumer properties, with {@code bootstrap.servers}
 * @param catalog Iceberg's catalog properties
 * @param options of the oracle that its table is compared with
 * @param route further lines of the route, each without its indent
 * @param flink Flink's options, above those that all these jobs have
 * @param more further sections, such as {@code errors: {…}}
 */
record ReplayJob(
    String topic,
    Map<String, String> kafka,
    Map<String, String> catalog,
    OracleOptions options,
    List<String> route,
    Map<String, String> flink,
    List<String> more) {

  private static final String SERVERS = "bootstrap.servers";

  private static final Map<String, String> FLINK =
      Map.of(
          "parallelism.default", "2",
          "execution.checkpointing.interval", "300ms",
          "state.backend.type", "hashmap",
          "restart-strategy.type", "fixed-delay",
          "restart-strategy.fixed-delay.attempts", "100",
          "restart-strategy.fixed-delay.delay", "100ms");

  ReplayJob {
    kafka = Map.copyOf(kafka);
    catalog = Map.copyOf(catalog);
    route = List.copyOf(route);
    flink = Map.copyOf(flink);
    more = List.copyOf(more);
  }

  /** A job on the Kafka of all tests and a Hadoop catalog. */
  ReplayJob(String topic, Path warehouse, OracleOptions options, List<String> route) {
    this(
        topic,
        Map.of(SERVERS, ReplayKafka.bootstrapServers()),
        Map.of("type", "hadoop", "warehouse", warehouse.toUri().toString()),
        options,
        route,
        Map.of(),
        List.of());
  }

  /**
   * The same with another catalog.
   *
   * @param properties Iceberg's
   */
  ReplayJob in(Map<String, String> properties) {
    return new ReplayJob(topic, kafka, properties, options, route, flink, more);
  }

  /** The same on another Kafka. */
  ReplayJob at(String bootstrapServers) {
    return reading(Map.of(SERVERS, bootstrapServers));
  }

  /** The same with further consumer properties. */
  ReplayJob reading(Map<String, String> properties) {
    Map<String, String> both = new TreeMap<>(kafka);
    both.putAll(properties);
    return new ReplayJob(topic, both, catalog, options, route, flink, more);
  }

  String brokers() {
    return kafka.get(SERVERS);
  }

  /** The same with some of Flink's options. */
  ReplayJob with(Map<String, String> someFlink) {
    Map<String, String> both = new TreeMap<>(flink);
    both.putAll(someFlink);
    return new ReplayJob(topic, kafka, catalog, options, route, both, more);
  }

  /** The same, restored from a savepoint. */
  ReplayJob restoredFrom(String savepoint) {
    return with(Map.of("execution.state-recovery.path", savepoint));
  }

  /** The same with a further section. */
  ReplayJob and(String section) {
    return new ReplayJob(topic, kafka, catalog, options, route, flink, List.of(section));
  }

  Settings settings() {
    Map<String, String> both = new TreeMap<>(FLINK);
    both.putAll(flink);
    Map<String, String> consumer = new TreeMap<>(kafka);
    consumer.remove(SERVERS);
    consumer.putIfAbsent("client.id", group());
    String yaml =
        """
        name: %s
        kafka:
          bootstrap.servers: %s
          topics: ['%s']
          properties:
        %scatalog:
          name: lake
          properties:
        %sroutes:
          - topics: '%s'
            table: %s
        %sflink:
        %s%s
        """
            .formatted(
                group(),
                brokers(),
                topic,
                lines(4, consumer),
                lines(4, catalog),
                topic.replace(".", "\\."),
                tableName(),
                route.stream().map(line -> "    " + line + "\n").collect(Collectors.joining()),
                lines(2, both),
                String.join("\n", more));
    return Settings.parse(yaml, Map.of());
  }

  Settings settings(Duration checkpoints) {
    return with(Map.of("execution.checkpointing.interval", checkpoints.toMillis() + "ms"))
        .settings();
  }

  private static String lines(int indent, Map<String, String> properties) {
    return properties.entrySet().stream()
        .map(p -> " ".repeat(indent) + p.getKey() + ": '" + p.getValue() + "'\n")
        .collect(Collectors.joining());
  }

  /** The consumer group that the job names. */
  String group() {
    return "job-" + topic;
  }

  /** Runs until all that is in Kafka is in the table. */
  ReplayJob catchUp() throws InterruptedException {
    return catchUp(RunOptions.catchUp());
  }

  ReplayJob catchUpFrom(StartFrom place) throws InterruptedException {
    return catchUp(RunOptions.catchUp().from(place));
  }

  private ReplayJob catchUp(RunOptions how) throws InterruptedException {
    try (LocalJob job = LocalJob.start(settings(), how)) {
      job.await();
    }
    return this;
  }

  /** Each topic's is another: tests may share a catalog. */
  String tableName() {
    return "lake." + topic.replaceAll("[^A-Za-z0-9]", "_");
  }

  Table table() {
    return load(tableName());
  }

  RawLog log() {
    return RawLog.read(brokers(), List.of(topic));
  }

  /** The table's newest record. */
  Map<String, String> lastRecord() {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table())) {
      if (RecordCodec.isRecord(snapshot.summary())) {
        return snapshot.summary();
      }
    }
    throw new AssertionError("The table has no record");
  }

  /** What must hold of its table. */
  Invariants invariants() {
    return invariants(Epochs.NONE);
  }

  /** The same where epochs were begun. */
  Invariants invariants(Epochs epochs) {
    return new Invariants(table(), load(tableName() + "__tombstones"), options, epochs, this::log);
  }

  /** Compares every snapshot with the log, and the last one with the whole of it. */
  TableReport check() {
    return invariants().caughtUp();
  }

  /** The files of the table; no job may run. */
  FileReport files() {
    return invariants().files();
  }

  private Table load(String name) {
    return CatalogUtil.buildIcebergCatalog("lake", catalog, new Configuration())
        .loadTable(TableIdentifier.parse(name));
  }
}
