package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.ConfigException;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.junit.jupiter.api.Test;

class JobConfigurationTest {

  @Test
  void defaults() {
    Configuration configuration = JobConfiguration.of(Map.of());

    assertThat(configuration.get(CoreOptions.DEFAULT_PARALLELISM)).isEqualTo(2);
    assertThat(configuration.get(CheckpointingOptions.CHECKPOINTING_INTERVAL))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(configuration.get(PipelineOptions.GENERIC_TYPES)).isFalse();
    assertThat(configuration.get(PipelineOptions.OBJECT_REUSE)).isTrue();
  }

  @Test
  void aClustersOptionsWinOverTheDefaultsAndTheSettingsOverBoth() {
    Configuration cluster =
        Configuration.fromMap(
            Map.of(
                "parallelism.default", "7",
                "execution.checkpointing.interval", "1min",
                "rest.port", "8081"));

    Configuration configuration =
        JobConfiguration.of(cluster, Map.of("execution.checkpointing.interval", "3s"));

    assertThat(configuration.get(CoreOptions.DEFAULT_PARALLELISM)).isEqualTo(7);
    assertThat(configuration.get(CheckpointingOptions.CHECKPOINTING_INTERVAL))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(configuration.toMap()).containsEntry("rest.port", "8081");
  }

  @Test
  void whatAClusterMustNotHaveIsReportedAtOnce() {
    Configuration cluster =
        Configuration.fromMap(
            Map.of(
                "execution.checkpointing.unaligned.enabled", "true",
                "execution.checkpointing.unaligned.forced", "true",
                "execution.checkpointing.aligned-checkpoint-timeout", "5s",
                "execution.checkpointing.mode", "AT_LEAST_ONCE",
                "execution.checkpointing.checkpoints-after-tasks-finish", "false",
                "execution.runtime-mode", "BATCH",
                "execution.checkpointing.interval", "0s"));

    assertThatThrownBy(() -> JobConfiguration.of(cluster, Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            """
            The configuration has 7 problems:
              execution.checkpointing.unaligned.enabled: found true in Flink's own configuration, expected false or no entry: the offsets in a table's record are exact only while checkpoints are aligned
              execution.checkpointing.unaligned.forced: found true in Flink's own configuration, expected false or no entry: the offsets in a table's record are exact only while checkpoints are aligned
              execution.checkpointing.aligned-checkpoint-timeout: found PT5S in Flink's own configuration, expected PT0S or no entry: the offsets in a table's record are exact only while checkpoints are aligned
              execution.checkpointing.mode: found AT_LEAST_ONCE in Flink's own configuration, expected EXACTLY_ONCE or no entry: each change is applied once
              execution.checkpointing.checkpoints-after-tasks-finish: found false in Flink's own configuration, expected true or no entry: the end of a bounded run is committed by a checkpoint
              execution.runtime-mode: found BATCH in Flink's own configuration, expected STREAMING or no entry: commits follow checkpoints
              execution.checkpointing.interval: found 0 in Flink's own configuration, expected a duration above 0, such as 10s: commits follow checkpoints""");
  }

  @Test
  void theOldNameOfUnalignedCheckpointsIsRefusedToo() {
    assertThatThrownBy(
            () ->
                JobConfiguration.of(
                    Configuration.fromMap(Map.of("execution.checkpointing.unaligned", "true")),
                    Map.of()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("unaligned.enabled: found true");
  }
}
