package io.tidemark.debezium.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LastUsedTest {
  private final LastUsed<String, String> cache = new LastUsed<>(3, 10);

  @Test
  void theLeastRecentlyUsedGoes() {
    put("a", 1);
    put("b", 1);
    put("c", 1);
    assertThat(cache.get("a")).isEqualTo("A");
    put("d", 1);
    assertThat(kept()).containsExactlyInAnyOrder("a", "c", "d");
  }

  @Test
  void longTextsTakeThePlaceOfSeveral() {
    put("a", 4);
    put("b", 4);
    put("c", 6);
    assertThat(kept()).containsExactlyInAnyOrder("b", "c");
    put("d", 5);
    put("a", 5);
    assertThat(kept()).containsExactlyInAnyOrder("d", "a");
  }

  @Test
  void whatWasPutLastStays() {
    put("a", 4);
    put("b", 100);
    assertThat(kept()).containsExactly("b");
    put("c", 10);
    assertThat(kept()).containsExactly("c");
  }

  private void put(String key, long length) {
    cache.put(key, key.toUpperCase(java.util.Locale.ROOT), length);
  }

  private Stream<String> kept() {
    return Stream.of("a", "b", "c", "d").filter(key -> cache.get(key) != null);
  }
}
