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
    return """
        name: bench
        kafka:
          bootstrap.servers: '%s'
          topics: ['%s']
          format: debezium-json
          start: earliest
        catalog:
          name: lake
          properties: {type: hadoop, warehouse: '%s'}
        routes:
          - topics: '.*'
            table: %s.%s
            columns: {%s}
            properties: {write.parquet.compression-codec: %s}
        flink:
          parallelism.default: %d
          execution.checkpointing.interval: %ds
          execution.checkpointing.dir: '%s'
          state.backend.type: hashmap
        """
        .formatted(
            order.bootstrapServers(),
            order.topic(),
            order.warehouse(),
            DrainOrder.NAMESPACE,
            DrainOrder.TABLE,
            columns(order.schemas()),
            DrainOrder.CODEC,
            DrainOrder.PARALLELISM,
            DrainOrder.CHECKPOINT_SECONDS,
            order.checkpoints());
  }

  /** All types where the messages bring none, else that of the text that is a number. */
  private static String columns(boolean schemas) {
    return SalesColumn.ALL.stream()
        .filter(column -> !schemas || column.spec().startsWith("decimal"))
        .map(column -> column.name() + ": '" + column.spec() + "'")
        .collect(Collectors.joining(", "));
  }
}
