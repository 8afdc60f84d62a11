package io.tidemark.bench;

import java.time.Duration;
import java.util.stream.Collectors;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * The pipeline that the documentation of Flink and Iceberg gives: {@code debezium-json} from Kafka
 * into an upsert table.
 *
 * <p>It has no version guard: the last change to arrive wins. The key is declared on the source
 * too, so that the planner adds no materializing operator, which would keep every row in state.
 */
final class StockDrain {

  private StockDrain() {}

  static void run(DrainOrder order) throws Exception {
    try (StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration(order))) {
      StreamTableEnvironment sql = StreamTableEnvironment.create(env);
      sql.executeSql(catalog(order));
      sql.executeSql("CREATE DATABASE lake.`" + DrainOrder.NAMESPACE + "`");
      sql.executeSql(table());
      sql.executeSql(changes(order));
      sql.executeSql(insert()).await();
    }
  }

  private static Configuration configuration(DrainOrder order) {
    Configuration configuration = new Configuration();
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, DrainOrder.PARALLELISM);
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_INTERVAL,
        Duration.ofSeconds(DrainOrder.CHECKPOINT_SECONDS));
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, order.checkpoints());
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    return configuration;
  }

  private static String catalog(DrainOrder order) {
    return """
        CREATE CATALOG lake WITH (
          'type' = 'iceberg', 'catalog-type' = 'hadoop', 'warehouse' = '%s')"""
        .formatted(order.warehouse());
  }

  private static String table() {
    return """
        CREATE TABLE lake.`%s`.`%s` (
          %s,
          PRIMARY KEY (%s) NOT ENFORCED
        ) WITH (
          'format-version' = '2',
          'write.upsert.enabled' = 'true',
          'write.parquet.compression-codec' = '%s')"""
        .formatted(
            DrainOrder.NAMESPACE,
            DrainOrder.TABLE,
            SalesColumn.ALL.stream()
                .map(column -> "`" + column.name() + "` " + column.kept())
                .collect(Collectors.joining(",\n  ")),
            SalesColumn.KEY,
            DrainOrder.CODEC);
  }

  private static String changes(DrainOrder order) {
    return """
        CREATE TEMPORARY TABLE changes (
          %s,
          PRIMARY KEY (%s) NOT ENFORCED
        ) WITH (
          'connector' = 'kafka',
          'topic' = '%s',
          'properties.bootstrap.servers' = '%s',
          'properties.group.id' = 'stock',
          'scan.startup.mode' = 'earliest-offset',
          'scan.bounded.mode' = 'latest-offset',
          'format' = 'debezium-json',
          'debezium-json.schema-include' = '%s',
          'debezium-json.timestamp-format.standard' = 'ISO-8601')"""
        .formatted(
            SalesColumn.ALL.stream()
                .map(column -> "`" + column.name() + "` " + column.sent())
                .collect(Collectors.joining(",\n  ")),
            SalesColumn.KEY,
            order.topic(),
            order.bootstrapServers(),
            order.schemas());
  }

  private static String insert() {
    return "INSERT INTO lake.`%s`.`%s` SELECT %s FROM changes"
        .formatted(
            DrainOrder.NAMESPACE,
            DrainOrder.TABLE,
            SalesColumn.ALL.stream()
                .map(SalesColumn::expression)
                .collect(Collectors.joining(", ")));
  }
}
