package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TombstoneSettingsTest {

  @Test
  void defaults() {
    assertThat(with("tombstones: {}\n").tombstones().retention()).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void everyKeyIsRead() {
    String text = "tombstones: {retention: 36h}\n";

    SettingsFixture.assertNames(text, TombstoneSettings.KEYS);
    assertThat(with(text).tombstones().retention()).isEqualTo(Duration.ofHours(36));
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThat(refusal(() -> with("tombstones: {retention: 30 days, horizon: 1d}\n")))
        .isEqualTo(
            """
            The configuration has 2 problems:
              tombstones.horizon (line 7): found an unknown key, expected one of retention
              tombstones.retention (line 7): found "30 days", expected a duration such as 10s, 5min, 1h or 30d: the units are ns, us, ms, s, min, h and d
            """);
    assertThat(refusal(() -> with("tombstones: {retention: 23h}\n")))
        .contains("found \"23h\", expected at least 1d: tombstones are kept and expire by day");
  }
}
