package io.tidemark.job;

import io.tidemark.config.ConfigException;
import io.tidemark.config.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.CheckpointingMode;

/**
 * Flink's configuration of a job: the user's, on top of the cluster's, on top of defaults, under
 * what must not change.
 */
final class JobConfiguration {
  private static final String ALIGNED =
      "the offsets in a table's record are exact only while checkpoints are aligned";

  private JobConfiguration() {}

  /** For Flink in this process. */
  static Configuration of(Map<String, String> settings) {
    return of(new Configuration(), settings);
  }

  /**
   * For a cluster.
   *
   * @param cluster what Flink was started with: its configuration file, and what was given to
   *     {@code flink run}
   * @param settings wins over it
   * @throws ConfigException if one of them asks for what would break what Tidemark promises
   */
  static Configuration of(Configuration cluster, Map<String, String> settings) {
    Configuration configuration = new Configuration();
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, 2);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, 10);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(30));
    configuration.addAll(cluster);
    configuration.addAll(Configuration.fromMap(settings));
    refuse(configuration);
    // Every type has its own serializer; none may fall back to Kryo unseen.
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    // Operators of one task hand over immutable values.
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    return configuration;
  }

  /** The same for a job that has nothing to keep: after a failure it begins again. */
  static Configuration withoutCheckpoints(Map<String, String> settings) {
    Configuration configuration = of(settings);
    configuration.removeConfig(CheckpointingOptions.CHECKPOINTING_INTERVAL);
    return configuration;
  }

  /** Settings have been checked in their file; a cluster's own options are seen here first. */
  private static void refuse(Configuration configuration) {
    List<Problem> problems = new ArrayList<>();
    onlyIs(configuration, CheckpointingOptions.ENABLE_UNALIGNED, false, ALIGNED, problems);
    onlyIs(configuration, CheckpointingOptions.FORCE_UNALIGNED, false, ALIGNED, problems);
    onlyIs(
        configuration,
        CheckpointingOptions.ALIGNED_CHECKPOINT_TIMEOUT,
        Duration.ZERO,
        ALIGNED,
        problems);
    onlyIs(
        configuration,
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE,
        CheckpointingMode.EXACTLY_ONCE,
        "each change is applied once",
        problems);
    onlyIs(
        configuration,
        CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH,
        true,
        "the end of a bounded run is committed by a checkpoint",
        problems);
    onlyIs(
        configuration,
        ExecutionOptions.RUNTIME_MODE,
        RuntimeExecutionMode.STREAMING,
        "commits follow checkpoints",
        problems);
    Duration interval = configuration.get(CheckpointingOptions.CHECKPOINTING_INTERVAL);
    if (interval.isZero()) {
      problems.add(
          new Problem(
              CheckpointingOptions.CHECKPOINTING_INTERVAL.key(),
              0,
              "found 0 in Flink's own configuration, expected a duration above 0, such as 10s:"
                  + " commits follow checkpoints"));
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
  }

  private static <T> void onlyIs(
      Configuration configuration,
      ConfigOption<T> option,
      T only,
      String reason,
      List<Problem> problems) {
    T value = configuration.get(option);
    if (!value.equals(only)) {
      problems.add(
          new Problem(
              option.key(),
              0,
              "found %s in Flink's own configuration, expected %s or no entry: %s"
                  .formatted(value, only, reason)));
    }
  }
}
