package io.tidemark.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RecordedOffsetsTest {

  @Test
  void readsTheNextOffsetOfEachPartition() {
    RecordedOffsets recorded =
        RecordedOffsets.in(
                Map.of(
                    "tidemark.commit-id",
                    "c1",
                    "tidemark.offsets",
                    json("demo.shop.orders", new TreeMap<>(Map.of(0, 5L, 11, 7L)))))
            .orElseThrow();

    assertThat(recorded.nextOffsets()).isEqualTo(Map.of(0, 5L, 11, 7L));
    assertThat(recorded.total()).isEqualTo(12);
    assertThat(recorded.includes(0, 4)).isTrue();
    assertThat(recorded.includes(0, 5)).isFalse();
    assertThat(recorded.includes(3, 0)).isFalse();
  }

  @Test
  void seesThatThereIsNoRecord() {
    assertThat(RecordedOffsets.in(Map.of("added-records", "3"))).isEmpty();
  }

  static String json(String topic, Map<Integer, Long> offsets) {
    String partitions =
        offsets.entrySet().stream()
            .map(entry -> "\"" + entry.getKey() + "\": " + entry.getValue())
            .collect(Collectors.joining(", ", "{", "}"));
    return "{\"" + topic + "\": " + partitions + "}";
  }
}
