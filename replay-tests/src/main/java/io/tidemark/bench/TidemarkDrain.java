package io.tidemark.bench;

import io.tidemark.config.Settings;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import java.util.Map;
import java.util.stream.Collectors;

/** Tidemark, set up as its users set it up. */
final class TidemarkDrain {

  private TidemarkDrain() {}

  static void run(DrainOrder order) throws InterruptedException {
    Settings settings = Settings.parse(config(order), Map.of());
    try (LocalJob job = LocalJob.start(settings, RunOptions.catchUp())) {
      job.await();
    }
  }

  static String config(DrainOrder order) {
    return config(
        order,
        DrainOrder.TABLE,
        "warehouse: '%s'".formatted(order.warehouse()),
        "  execution.checkpointing.interval: %ds\n  state.backend.type: hashmap\n"
            .formatted(DrainOrder.CHECKPOINT_SECONDS));
  }

  /**
   * The same with another table.
   *
   * @param catalog properties of the catalog beside its type, as YAML's pairs
   * @param flink lines of the section of that name
   */
  static String config(DrainOrder order, String table, String catalog, String flink) {
    return """
        name: bench
        kafka:
          bootstrap.servers: '%s'
          topics: ['%s']
          format: debezium-json
          start: earliest
        catalog:
          name: lake
          properties: {type: hadoop, %s}
        routes:
          - topics: '.*'
            table: %s.%s
            columns: {%s}
            properties: {write.parquet.compression-codec: %s}
        flink:
          parallelism.default: %d
          execution.checkpointing.dir: '%s'
        %s"""
        .formatted(
            order.bootstrapServers(),
            order.topic(),
            catalog,
            DrainOrder.NAMESPACE,
            table,
            columns(order.schemas()),
            DrainOrder.CODEC,
            DrainOrder.PARALLELISM,
            order.checkpoints(),
            flink);
  }

  /** All types where the messages bring none, else that of the text that is a number. */
  private static String columns(boolean schemas) {
    return SalesColumn.ALL.stream()
        .filter(column -> !schemas || column.spec().startsWith("decimal"))
        .map(column -> column.name() + ": '" + column.spec() + "'")
        .collect(Collectors.joining(", "));
  }
}
