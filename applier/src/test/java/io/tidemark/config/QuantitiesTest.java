package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {

  @Test
  void durationsHaveFlinksUnits() {
    assertThat(Quantities.duration("10s")).isEqualTo(Duration.ofSeconds(10));
    assertThat(Quantities.duration(" 5 min ")).isEqualTo(Duration.ofMinutes(5));
    assertThat(Quantities.duration("1h")).isEqualTo(Duration.ofHours(1));
    assertThat(Quantities.duration("30d")).isEqualTo(Duration.ofDays(30));
    assertThat(Quantities.duration("250")).isEqualTo(Duration.ofMillis(250));
    assertThat(Quantities.duration("7us")).isEqualTo(Duration.ofNanos(7000));
  }

  @Test
  void sizesHaveFlinksUnits() {
    assertThat(Quantities.memoryBytes("64mb")).isEqualTo(64L << 20);
    assertThat(Quantities.memoryBytes("1 G")).isEqualTo(1L << 30);
    assertThat(Quantities.memoryBytes("12")).isEqualTo(12);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "-1s", "1.5h", "10 weeks", "999999999999999999d"})
  void whatIsNoDurationIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantities.duration(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mb", "-1mb", "64 miles", "999999999999999999g"})
  void whatIsNoSizeIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> Quantities.memoryBytes(text));
  }
}
