package io.tidemark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SalesLogTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void equalSeedsGiveEqualLogs() {
    assertThat(texts(new SalesLog(7, 50, true), 300))
        .isEqualTo(texts(new SalesLog(7, 50, true), 300));
  }

  @Test
  void otherSeedsGiveOtherLogs() {
    assertThat(texts(new SalesLog(7, 50, false), 10))
        .isNotEqualTo(texts(new SalesLog(8, 50, false), 10));
  }

  @Test
  void schemaIsAllThatDiffersBetweenTheForms() throws IOException {
    SalesLog with = new SalesLog(7, 50, true);
    SalesLog without = new SalesLog(7, 50, false);
    for (int i = 0; i < 100; i++) {
      SalesLog.Change change = with.next();
      SalesLog.Change bare = without.next();
      assertThat(JSON.readTree(change.value()).get("payload"))
          .isEqualTo(JSON.readTree(bare.value()));
      assertThat(JSON.readTree(change.key()).get("payload")).isEqualTo(JSON.readTree(bare.key()));
    }
  }

  @Test
  void eachChangeStartsFromTheRowThatIsThere() throws IOException {
    SalesLog log = new SalesLog(3, 40, false);
    Map<JsonNode, JsonNode> rows = new HashMap<>();
    for (int i = 0; i < 2_000; i++) {
      SalesLog.Change change = log.next();
      JsonNode key = JSON.readTree(change.key());
      JsonNode value = JSON.readTree(change.value());
      JsonNode there = rows.get(key);
      assertThat(value.get("before").isNull() ? null : value.get("before")).isEqualTo(there);
      assertThat(change.tombstone()).isEqualTo(value.get("op").asText().equals("d"));
      if (value.get("after").isNull()) {
        rows.remove(key);
      } else {
        rows.put(key, value.get("after"));
      }
    }
    assertThat(log.rows()).isEqualTo(rows.size());
  }

  @Test
  void positionsRiseAndTransactionsNameTheCommitBefore() throws IOException {
    SalesLog log = new SalesLog(5, 40, false);
    long lsn = 0;
    long commit = 0;
    for (int i = 0; i < 1_000; i++) {
      JsonNode source = JSON.readTree(log.next().value()).get("source");
      JsonNode sequence = JSON.readTree(source.get("sequence").asText());
      assertThat(source.get("lsn").asLong()).isGreaterThan(lsn);
      assertThat(sequence.get(0).asLong()).isBetween(commit, source.get("lsn").asLong() - 1);
      assertThat(sequence.get(1).asLong()).isEqualTo(source.get("lsn").asLong());
      lsn = source.get("lsn").asLong();
      commit = sequence.get(0).asLong();
    }
  }

  @Test
  void opsComeInTheirShares() throws IOException {
    SalesLog log = new SalesLog(42, 20_000, false);
    Map<String, Integer> ops = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      ops.merge(JSON.readTree(log.next().value()).get("op").asText(), 1, Integer::sum);
    }
    assertThat(ops.get("c")).isBetween(3_800, 4_200);
    assertThat(ops.get("u")).isBetween(14_800, 15_200);
    assertThat(ops.get("d")).isBetween(900, 1_100);
  }

  @Test
  void payloadHasTheSizeThatTheFiguresAreFor() {
    assertThat(averageBytes(false)).isBetween(1_100.0, 1_400.0);
    assertThat(averageBytes(true)).isBetween(4_500.0, 5_500.0);
  }

  private static double averageBytes(boolean schemas) {
    SalesLog log = new SalesLog(42, 1_000, schemas);
    return java.util.stream.IntStream.range(0, 2_000)
        .map(i -> log.next().value().length)
        .average()
        .orElseThrow();
  }

  private static List<String> texts(SalesLog log, int changes) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < changes; i++) {
      SalesLog.Change change = log.next();
      texts.add(new String(change.key(), java.nio.charset.StandardCharsets.UTF_8));
      texts.add(new String(change.value(), java.nio.charset.StandardCharsets.UTF_8));
    }
    return texts;
  }
}
