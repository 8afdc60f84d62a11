package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JitteredBackoffTest {
  private final List<Duration> slept = new ArrayList<>();

  private JitteredBackoff backoff(int attempts) {
    return new JitteredBackoff(
        Duration.ofMillis(100), Duration.ofSeconds(1), attempts, new Random(7), slept::add);
  }

  @Test
  void waitsLongerEachTimeUpToTheLongest() {
    JitteredBackoff backoff = backoff(100);
    for (int failures = 1; failures < 60; failures++) {
      assertThat(backoff.await(failures)).isTrue();
      long bound = failures < 5 ? 100L << failures - 1 : 1000;
      assertThat(slept.get(failures - 1).toMillis()).isBetween(bound / 2, bound);
    }
  }

  @Test
  void givesUpAfterTheLastAttemptWithoutWaiting() {
    assertThat(backoff(3).await(2)).isTrue();
    assertThat(backoff(3).await(3)).isFalse();
    assertThat(slept).hasSize(1);
  }

  @Test
  void needsAnAttempt() {
    assertThatThrownBy(() -> backoff(0)).hasMessage("attempts must be at least 1, got 0");
  }
}
