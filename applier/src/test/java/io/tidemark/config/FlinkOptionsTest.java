package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FlinkOptionsTest {

  @Test
  void harmlessValuesAreHandedOn() {
    assertThat(
            with("""
                    flink:
                      execution.checkpointing.unaligned.enabled: false
                      execution.checkpointing.mode: EXACTLY-ONCE
                      execution.checkpointing.interval: 500ms
                      pipeline.generic-types: false
                      execution.runtime-mode: STREAMING
                      taskmanager.memory.managed.size: 64mb
                    """)
                .flink())
        .containsEntry("execution.checkpointing.unaligned.enabled", "false")
        .containsEntry("execution.checkpointing.interval", "500ms")
        .containsEntry("taskmanager.memory.managed.size", "64mb");
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    String text =
        """
        flink:
          execution.checkpointing.unaligned.enabled: true
          execution.checkpointing.unaligned: true
          execution.checkpointing.aligned-checkpoint-timeout: 5s
          execution.checkpointing.mode: AT_LEAST_ONCE
          execution.checkpointing.interval: 0s
          execution.checkpointing.checkpoints-after-tasks-finish: false
          execution.runtime-mode: BATCH
          pipeline.generic-types: true
          parallelism.default: 0
          nested: {a: b}
        """;

    assertThat(refusal(() -> with(text)))
        .isEqualTo(
            """
            The configuration has 10 problems:
              flink.execution.checkpointing.unaligned.enabled (line 8): found "true", expected false or no entry: the offsets in a table's record are exact only while checkpoints are aligned
              flink.execution.checkpointing.unaligned (line 9): found "true", expected false or no entry: the offsets in a table's record are exact only while checkpoints are aligned
              flink.execution.checkpointing.aligned-checkpoint-timeout (line 10): found "5s", expected 0 or no entry: the offsets in a table's record are exact only while checkpoints are aligned
              flink.execution.checkpointing.mode (line 11): found "AT_LEAST_ONCE", expected exactly_once or no entry: each change is applied once
              flink.execution.checkpointing.interval (line 12): found "0s", expected a duration above 0, such as 10s
              flink.execution.checkpointing.checkpoints-after-tasks-finish (line 13): found "false", expected true or no entry: the end of a bounded run is committed by a checkpoint
              flink.execution.runtime-mode (line 14): found "BATCH", expected streaming or no entry: commits follow checkpoints
              flink.pipeline.generic-types (line 15): found "true", expected false or no entry: a type without its own serializer would be unreadable later
              flink.parallelism.default (line 16): found "0", expected a number from 1 to 32768
              flink.nested (line 17): found a mapping, expected a text, a number, true or false
            """);
  }
}
