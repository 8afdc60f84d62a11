package io.tidemark.job;

import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;

/** Flink's configuration of a job: the user's, on top of defaults, under what must not change. */
final class JobConfiguration {
  private JobConfiguration() {}

  static Configuration of(Map<String, String> settings) {
    Configuration configuration = new Configuration();
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, 2);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(10));
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    configuration.set(RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_ATTEMPTS, 10);
    configuration.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(30));
    configuration.addAll(Configuration.fromMap(settings));
    // A record's exactness needs aligned barriers: unaligned ones overtake changes that the offsets
    // already count.
    configuration.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
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
}
