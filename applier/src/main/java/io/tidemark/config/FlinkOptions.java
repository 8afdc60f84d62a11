package io.tidemark.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Flink's own options, and those of them that would break what Tidemark promises. */
final class FlinkOptions {
  static final String PARALLELISM = "parallelism.default";
  static final String INTERVAL = "execution.checkpointing.interval";

  static final Key<Map<String, String>> FLINK =
      Key.optional(
          "flink",
          Syntax.PROPERTIES,
          "{}",
          "Flink's own options. Defaults here: `parallelism.default: 2`,"
              + " `execution.checkpointing.interval: 10s` (one Iceberg commit each),"
              + " `state.backend.type: hashmap` (`rocksdb` for more keys than fit into memory)."
              + " Unaligned checkpoints, at-least-once checkpoints, batch mode and generic types are"
              + " refused.");

  private final Section section;
  private final Map<String, String> options;

  private FlinkOptions(Section section) {
    this.section = section;
    this.options = new LinkedHashMap<>(section.get(FLINK));
  }

  /** The options that were given. The defaults come where it is known what a cluster has set. */
  static Map<String, String> read(Section section) {
    FlinkOptions flink = new FlinkOptions(section);
    String unaligned =
        "the offsets in a table's record are exact only while checkpoints are aligned";
    flink.onlyIs("false", "execution.checkpointing.unaligned.enabled", unaligned);
    flink.onlyIs("false", "execution.checkpointing.unaligned", unaligned);
    flink.onlyIs("false", "execution.checkpointing.unaligned.forced", unaligned);
    flink.onlyIs("0", "execution.checkpointing.aligned-checkpoint-timeout", unaligned);
    flink.onlyIs("exactly_once", "execution.checkpointing.mode", "each change is applied once");
    String lastCheckpoint = "the end of a bounded run is committed by a checkpoint";
    flink.onlyIs("true", "execution.checkpointing.checkpoints-after-tasks-finish", lastCheckpoint);
    flink.onlyIs(
        "true", "execution.checkpointing.checkpoints-after-tasks-finish.enabled", lastCheckpoint);
    flink.onlyIs("streaming", "execution.runtime-mode", "commits follow checkpoints");
    flink.onlyIs(
        "false",
        "pipeline.generic-types",
        "a type without its own serializer would be unreadable later");
    flink.checkInterval();
    flink.checkParallelism();
    return flink.options;
  }

  private void onlyIs(String only, String option, String reason) {
    String value = options.get(option);
    if (value != null && !value.strip().replace('-', '_').toLowerCase(Locale.ROOT).equals(only)) {
      section.refuse(
          FLINK,
          option,
          "found "
              + section.shown(FLINK, option)
              + ", expected "
              + only
              + " or no entry: "
              + reason);
    }
  }

  private void checkInterval() {
    String value = options.get(INTERVAL);
    if (value == null) {
      return;
    }
    try {
      if (Quantities.duration(value).compareTo(Duration.ZERO) > 0) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    section.refuse(
        FLINK,
        INTERVAL,
        "found " + section.shown(FLINK, INTERVAL) + ", expected a duration above 0, such as 10s");
  }

  private void checkParallelism() {
    String value = options.get(PARALLELISM);
    if (value != null && !value.matches("[1-9]\\d{0,4}")) {
      section.refuse(
          FLINK,
          PARALLELISM,
          "found " + section.shown(FLINK, PARALLELISM) + ", expected a number from 1 to 32768");
    }
  }
}
