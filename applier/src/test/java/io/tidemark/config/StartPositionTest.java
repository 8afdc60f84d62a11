package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidemark.change.TopicPartition;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StartPositionTest {

  @Test
  void everyFormIsRead() {
    Instant noon = Instant.parse("2026-01-31T12:00:00Z");

    assertThat(StartFrom.parse("earliest")).isEqualTo(new StartPosition.Earliest());
    assertThat(StartFrom.parse(" latest ")).isEqualTo(new StartPosition.Latest());
    assertThat(StartFrom.parse("recorded")).isEqualTo(new StartFrom.Recorded());
    assertThat(StartFrom.parse("timestamp=2026-01-31T12:00:00Z"))
        .isEqualTo(new StartPosition.Timestamp(noon));
    assertThat(StartFrom.parse("timestamp=2026-01-31T14:00+02:00"))
        .isEqualTo(new StartPosition.Timestamp(noon));
    assertThat(StartFrom.parse("timestamp=" + noon.toEpochMilli()))
        .isEqualTo(new StartPosition.Timestamp(noon));
    assertThat(StartFrom.parse("shop.a:0=17, shop.a:12=0"))
        .isEqualTo(
            new StartPosition.Offsets(
                Map.of(
                    new TopicPartition("shop.a", 0), 17L, new TopicPartition("shop.a", 12), 0L)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "earliest",
        "latest",
        "recorded",
        "timestamp=2026-01-31T12:00:00Z",
        "shop.a:0=17,shop.a:12=0"
      })
  void whatIsShownCanBeRead(String text) {
    assertThat(StartFrom.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "null",
      value = {
        "first | null",
        "'' | null",
        "timestamp=2026-01-31T12:00:00 | a time looks like 2026-01-31T12:00:00Z",
        "timestamp=yesterday | a time looks like 2026-01-31T12:00:00Z",
        "a=1 | an offset looks like topic:0=17",
        ":0=1 | an offset looks like topic:0=17",
        "a:0=-1 | an offset looks like topic:0=17",
        "a:x=1 | an offset looks like topic:0=17",
        "a:0=1, | an offset looks like topic:0=17",
        "a:0=1,a:0=2 | a partition is named twice"
      })
  void anythingElseIsRefused(String text, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StartFrom.parse(text))
        .satisfies(refused -> assertThat(refused.getMessage()).isEqualTo(message));
  }
}
