package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GateSettingsTest {

  @Test
  void defaults() {
    assertThat(with("gate: {}\n").gate().memoryBytes()).isEqualTo(64L << 20);
    assertThat(with("gate: {}\n").gate().keepRowsFromBytes()).isEqualTo(1 << 10);
  }

  @Test
  void everyKeyIsRead() {
    String text = "gate: {memory: 2 GB, keep-rows-from: 300b}\n";

    SettingsFixture.assertNames(text, GateSettings.KEYS);
    assertThat(with(text).gate().memoryBytes()).isEqualTo(2L << 30);
    assertThat(with(text).gate().keepRowsFromBytes()).isEqualTo(300);
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThat(refusal(() -> with("gate: {memory: lots, size: 1}\n")))
        .isEqualTo(
            """
            The configuration has 2 problems:
              gate.size (line 7): found an unknown key, expected one of memory, keep-rows-from
              gate.memory (line 7): found "lots", expected a size such as 64mb or 1gb
            """);
    assertThat(refusal(() -> with("gate: {memory: 1048575}\n")))
        .contains("gate.memory (line 7): found \"1048575\", expected at least 1mb");
    assertThat(refusal(() -> with("gate: {keep-rows-from: 2gb}\n")))
        .contains("gate.keep-rows-from (line 7): found \"2gb\", expected at most 1gb");
    assertThat(with("gate: {memory: 1048576}\n").gate().memoryBytes()).isEqualTo(1 << 20);
  }
}
