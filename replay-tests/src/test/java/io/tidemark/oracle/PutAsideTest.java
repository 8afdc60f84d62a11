package io.tidemark.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PutAsideTest {
  private static final Place PLACE = new Place("orders", 0, 7);

  private final PutAside aside = new PutAside(Map.of("orders", "id-1"));
  private final long[] next = new long[3];

  @Test
  void aLaterCorrectionSettlesAnEqualTime() {
    add(0, 20, "one", Map.of());
    add(1, 20, "other", Map.of());
    assertThat(standing()).isNull();

    add(0, 30, "newest", Map.of());
    assertThat(standing()).isEqualTo("newest");
    add(2, 20, "of then", Map.of());
    assertThat(standing()).isEqualTo("newest");
  }

  @Test
  void aCorrectionSettlesLettersOfTheJobThatDiffer() {
    add(0, 20, "broken", Map.of("tidemark.problem", "p"));
    assertThat(standing()).isEqualTo("broken");
    add(0, 20, "claimed", Map.of("tidemark.problem", "p"));
    assertThat(standing()).isNull();

    add(0, 20, "corrected", Map.of());
    assertThat(standing()).isEqualTo("corrected");
  }

  @Test
  void correctionsMayDifferInTheirHeadersOnly() {
    add(0, 20, "row", Map.of("__op", "u"));
    add(1, 20, "row", Map.of("__op", "u", "tidemark.ranks", "{}"));
    assertThat(standing()).isEqualTo("row");

    add(1, 20, "row", Map.of("__op", "d"));
    assertThat(standing()).isNull();
  }

  @Test
  void strayLettersArePassedOver() {
    add(0, 20, "right", Map.of("tidemark.timestamp", "-1"));
    add(0, 21, "stray", Map.of("tidemark.timestamp", "today"));
    add(0, 22, "stray", Map.of("tidemark.timestamp", "-2"));
    add(0, 23, "stray", Map.of("tidemark.offset", "-7"));

    assertThat(standing()).isEqualTo("right");
    assertThat(aside.places()).containsExactly(PLACE);
  }

  @Test
  void lettersOfADeletedTopicAreCountedOnly() {
    add(0, 20, "of the former", Map.of("tidemark.topic-id", "id-0"));
    assertThat(aside.isEmpty()).isTrue();
    assertThat(aside.ofFormer()).isEqualTo(1);

    add(0, 20, "of this", Map.of("tidemark.topic-id", "id-1"));
    add(0, 20, "of the former", Map.of("tidemark.topic-id", "id-0"));
    assertThat(standing()).isEqualTo("of this");
  }

  private @Nullable String standing() {
    ConsumerRecord<byte[], byte[]> standing = aside.standing(PLACE);
    return standing == null ? null : new String(standing.value(), UTF_8);
  }

  private void add(int partition, long millis, String value, Map<String, String> more) {
    RecordHeaders headers = new RecordHeaders();
    headers.add("tidemark.topic", "orders".getBytes(UTF_8));
    headers.add("tidemark.partition", "0".getBytes(UTF_8));
    headers.add("tidemark.offset", "7".getBytes(UTF_8));
    more.forEach((name, text) -> headers.add(name, text.getBytes(UTF_8)));
    aside.add(
        new ConsumerRecord<>(
            "dead",
            partition,
            next[partition]++,
            millis,
            TimestampType.CREATE_TIME,
            0,
            0,
            null,
            value.getBytes(UTF_8),
            headers,
            Optional.empty()));
  }
}
