package io.tidemark.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * What a drain is told; the same for both pipelines.
 *
 * @param schemas whether the messages carry their schema
 * @param dir empty and its own: the warehouse, checkpoints and temporary files go there
 */
record DrainOrder(String bootstrapServers, String topic, boolean schemas, Path dir) {

  static final int PARALLELISM = 2;
  static final int CHECKPOINT_SECONDS = 5;
  static final String CODEC = "zstd";
  static final String NAMESPACE = "shop";
  static final String TABLE = "sales";

  String warehouse() {
    return dir.resolve("lake").toUri().toString();
  }

  String checkpoints() {
    return dir.resolve("checkpoints").toUri().toString();
  }

  List<String> toArguments() {
    return List.of(bootstrapServers, topic, String.valueOf(schemas), dir.toString());
  }

  static DrainOrder ofArguments(List<String> arguments) {
    return new DrainOrder(
        arguments.get(0),
        arguments.get(1),
        Boolean.parseBoolean(arguments.get(2)),
        Path.of(arguments.get(3)));
  }
}
