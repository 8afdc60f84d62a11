package io.tidemark.replay;

import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.Oracle;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawLog;
import io.tidemark.oracle.TableCheck;
import io.tidemark.oracle.TableReport;
import io.tidemark.oracle.TombstoneCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The real job of one topic, from its YAML file on.
 *
 * @param options of the oracle that its table is compared with
 * @param route further lines of the route, each with its indent
 */
record ReplayJob(String topic, Path warehouse, OracleOptions options, List<String> route) {

  static final String TABLE = "lake.orders";

  ReplayJob {
    route = List.copyOf(route);
  }

  Settings settings() {
    return settings(Duration.ofMillis(300));
  }

  Settings settings(Duration checkpoints) {
    String lines = String.join("", route.stream().map(line -> "    " + line + "\n").toList());
    String yaml =
        """
        name: %s
        kafka:
          bootstrap.servers: %s
          topics: ['%s']
        catalog:
          name: lake
          properties: {type: hadoop, warehouse: '%s'}
        routes:
          - topics: '%s'
            table: %s
        %sflink:
          parallelism.default: 2
          execution.checkpointing.interval: %dms
          state.backend.type: hashmap
          restart-strategy.type: fixed-delay
          restart-strategy.fixed-delay.attempts: 100
          restart-strategy.fixed-delay.delay: 100ms
        """
            .formatted(
                group(),
                ReplayKafka.bootstrapServers(),
                topic,
                warehouse.toUri(),
                topic.replace(".", "\\."),
                TABLE,
                lines,
                checkpoints.toMillis());
    return Settings.parse(yaml, Map.of());
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

  Table table() {
    return load(TABLE);
  }

  RawLog log() {
    return ReplayKafka.log(topic);
  }

  /** Compares every snapshot with the log, and the last one with the whole of it. */
  TableReport check() {
    RawLog log = log();
    Oracle oracle = new Oracle(options, log, Offsets.NONE);
    TableReport report = TableCheck.of(table(), oracle, log.end()).orThrow();
    List<String> forgotten =
        new ArrayList<>(TombstoneCheck.of(table(), load(TABLE + "__tombstones"), oracle));
    if (!forgotten.isEmpty()) {
      throw new AssertionError(String.join("\n  ", forgotten));
    }
    return report;
  }

  private Table load(String name) {
    return CatalogUtil.buildIcebergCatalog(
            "lake",
            Map.of("type", "hadoop", "warehouse", warehouse.toUri().toString()),
            new Configuration())
        .loadTable(TableIdentifier.parse(name));
  }
}
