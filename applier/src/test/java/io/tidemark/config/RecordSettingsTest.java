package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecordSettingsTest {

  @Test
  void defaults() {
    assertThat(with("record: {}\n").record().interval()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void everyKeyIsRead() {
    String text = "record: {interval: 10min}\n";

    SettingsFixture.assertNames(text, RecordSettings.KEYS);
    assertThat(with(text).record().interval()).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThat(refusal(() -> with("record: {interval: 0s, size: 1}\n")))
        .isEqualTo(
            """
            The configuration has 2 problems:
              record.size (line 7): found an unknown key, expected one of interval
              record.interval (line 7): found "0s", expected 1ms to 365d
            """);
  }
}
