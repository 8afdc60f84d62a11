package io.tidemark.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeadLettersTest {
  private final DeadLetters letters = new DeadLetters("orders", "id-1");
  private final long[] next = new long[3];

  @Test
  void aCorrectionGoesBeforeWhatTheJobWritesWhenever() {
    job(0, "broken");
    correction(0, 10, "first");
    correction(0, 5, "second"); // whatever its clock says
    job(0, "broken");

    assertThat(standing()).isEqualTo("second");
    assertThat(letters.refused()).isEmpty();
  }

  @Test
  void betweenPartitionsTheTimeDecides() {
    correction(0, 20, "later");
    correction(1, 10, "earlier");
    assertThat(standing()).isEqualTo("later");

    correction(2, 20, "as late");
    assertThat(letters.standing()).isEmpty();
    assertThat(letters.refused())
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.at()).isEqualTo(new SourceOffset("orders", 0, 7));
              assertThat(refused.problem()).startsWith("two corrections have the same time");
            });

    correction(1, 21, "told");
    assertThat(standing()).isEqualTo("told");
    assertThat(letters.refused()).isEmpty();
  }

  @Test
  void anEqualTimeClashesOnlyBetweenTheNewest() {
    correction(0, 20, "of then");
    correction(1, 20, "of then, too");
    correction(0, 30, "newest");
    correction(2, 20, "of then, read later");

    assertThat(standing()).isEqualTo("newest");
    assertThat(letters.refused()).isEmpty();
  }

  @Test
  void correctionsMayDifferInTheirHeadersOnly() {
    add(0, 20, "row", Map.of("__op", "u"));
    add(1, 20, "row", Map.of("__op", "u", "tidemark.ranks", "{}"));
    assertThat(standing()).isEqualTo("row");

    add(1, 20, "row", Map.of("__op", "d"));
    assertThat(letters.standing()).isEmpty();
    assertThat(letters.refused()).hasSize(1);
  }

  @Test
  void aCorrectionThatClaimsToBeTheJobsIsRefused() {
    job(0, "broken");
    job(0, "corrected");

    assertThat(letters.standing()).isEmpty();
    assertThat(letters.refused())
        .singleElement()
        .extracting(DeadLetters.Refusal::problem)
        .asString()
        .contains("says something else", "without that header")
        .doesNotContain("broken", "corrected");

    correction(0, 0, "as told to");
    job(0, "broken");
    assertThat(standing()).isEqualTo("as told to");
    assertThat(letters.refused()).isEmpty();
  }

  @Test
  void ofFormerTopicsAndOthersNothingStands() {
    add(0, 0, "x", Map.of("tidemark.topic", "payments"));
    add(0, 0, "x", Map.of("tidemark.topic-id", "id-0"));

    assertThat(letters.standing()).isEmpty();
    assertThat(letters.refused()).isEmpty();
    assertThat(letters.ofOthers()).isEqualTo(1);
    assertThat(letters.ofFormer()).isEqualTo(1);
  }

  @Test
  void theRecordIsAsItWasAtItsPlace() {
    add(
        1,
        99,
        "v",
        Map.of(
            "tidemark.timestamp", "42", "tidemark.ranks", "{}", "tidemark.problem", "p", "h", "1"));

    DeadLetters.Standing standing = letters.standing().get(0);
    assertThat(standing.ranks()).isEqualTo("{}");
    assertThat(standing.letter().record().timestampMillis()).isEqualTo(42);
    assertThat(standing.letter().record().headers()).containsOnlyKeys("h");
    assertThat(standing.letter().lies()).isEqualTo(new SourceOffset("dead", 1, 0));
  }

  @Test
  void aRecordMayHaveNoTime() {
    add(0, 99, "v", Map.of("tidemark.timestamp", "-1"));
    add(0, 99, "w", Map.of("tidemark.timestamp", "-2"));

    assertThat(standing()).isEqualTo("v");
    assertThat(letters.standing().get(0).letter().record().timestampMillis()).isEqualTo(-1);
    assertThat(letters.refused())
        .singleElement()
        .extracting(DeadLetters.Refusal::problem)
        .isEqualTo("header tidemark.timestamp is \"-2\", expected a number from -1 on");
  }

  private String standing() {
    return new String(letters.standing().get(0).letter().record().value(), UTF_8);
  }

  private void job(int partition, String value) {
    add(partition, 0, value, Map.of("tidemark.problem", "found x, expected y"));
  }

  private void correction(int partition, long millis, String value) {
    add(partition, millis, value, Map.of());
  }

  private void add(int partition, long millis, String value, Map<String, String> more) {
    Map<String, byte[]> headers = new HashMap<>();
    headers.put("tidemark.topic", "orders".getBytes(UTF_8));
    headers.put("tidemark.partition", "0".getBytes(UTF_8));
    headers.put("tidemark.offset", "7".getBytes(UTF_8));
    more.forEach((name, text) -> headers.put(name, text.getBytes(UTF_8)));
    letters.add(
        new RawRecord(
            new SourceOffset("dead", partition, next[partition]++),
            millis,
            null,
            value.getBytes(UTF_8),
            headers));
  }
}
