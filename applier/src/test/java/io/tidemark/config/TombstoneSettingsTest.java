package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TombstoneSettingsTest {

  @Test
  void defaults() {
    assertThat(with("tombstones: {}\n").tombstones().retentionDays()).isEqualTo(30);
  }

  @Test
  void everyKeyIsRead() {
    String text = "tombstones: {retention: 48h}\n";

    SettingsFixture.assertNames(text, TombstoneSettings.KEYS);
    assertThat(with(text).tombstones().retentionDays()).isEqualTo(2);
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThat(refusal(() -> with("tombstones: {retention: 36h, size: 1}\n")))
        .isEqualTo(
            """
            The configuration has 2 problems:
              tombstones.size (line 7): found an unknown key, expected one of retention
              tombstones.retention (line 7): found "36h", expected whole days, 1d to 36500d
            """);
    assertThat(refusal(() -> with("tombstones: {retention: 0d}\n"))).contains("found \"0d\"");
    assertThat(refusal(() -> with("tombstones: {retention: 36501d}\n")))
        .contains("found \"36501d\"");
  }
}
