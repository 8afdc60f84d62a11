package io.tidemark.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.job.RunOptions;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What real jobs leave out under {@code errors.policy: skip}, the comparison allows, and no more.
 */
class SkippedRecordsTest {
  private static final String SKIP = "errors: {policy: skip}\n";

  @TempDir private static Path directory;
  private static EmbeddedKafka kafka;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start(directory.resolve("kafka"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void changesOfWhichTheMessageKeySaysTooMuchAreNotMissed() throws Exception {
    try (OrdersTopic topic = topic("placed")) {
      topic.addPartition();
      topic.put(1, "stays", 10, 1);
      topic.put(2, "stays", 20, 2);
      String wide = "{\"id\":%d,\"region\":\"x\"}";
      send(topic, wide.formatted(3), update(3, "refused", 30, 3));
      send(topic, wide.formatted(2), update(2, "refused", 40, 4));
      send(topic, wide.formatted(1), OrdersTopic.envelope("d", "{\"id\":1}", "null", 50, 5));
      // Of the table's own partition key, with a column that the table lacks.
      String more = "{\"id\":4,\"note\":\"refused\",\"more\":1}";
      send(topic, "{\"id\":4}", OrdersTopic.envelope("c", "null", more, 60, 6));
      send(topic, "{\"id\":4}", OrdersTopic.envelope("t", "null", "null", 70, 7));
      // Ranks just above the last change that was applied, and not above those that were not.
      topic.snapshotRow(5, "snapshot", 80, 8);
      run(topic.yaml() + SKIP, RunOptions.catchUp());
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "stays", 2L, "stays", 5L, "snapshot"));

      OrdersTopic.Outcome outcome = topic.type("verify", "-c", file(topic.yaml() + SKIP));
      assertThat(outcome.out())
          .contains("refused     5 records", "; 4 of them would change the table\n")
          .contains("3: message key: expected no other columns than those of the route's key, id,")
          .contains(
              "1: after: column \"more\": the table has no such column",
              "1: op t: the source table was truncated")
          .doesNotContain("\nskipped ")
          .endsWith("EQUAL: every key and column of shop.orders is what the log says.\n");
      String repaired = topic.type("verify", "-c", file(topic.yaml() + SKIP), "--repair").out();
      assertThat(repaired).doesNotContain("REPAIRED");

      // A job that stops at such records has applied all that is missing.
      assertThat(topic.type("verify", "-c", topic.file().toString()).out())
          .contains("missing rows: 2 ", "rows of deleted keys: 1 ")
          .doesNotContain("refused");
    }
  }

  @Test
  void aDeleteOfAnInventedVersionMayHaveBeenAppliedOrNot() throws Exception {
    try (OrdersTopic topic = topic("versioned")) {
      String columns = "columns: {id: long, note: string, v: long}\n    version: field:v\n";
      String yaml = topic.yaml().replace("columns: {id: long, note: string}\n", columns);
      String row = "{\"id\":1,\"note\":\"lives\",\"v\":0}";
      send(topic, "{\"id\":1}", OrdersTopic.envelope("c", "null", row, 10, 1));
      send(topic, "{\"id\":1}", OrdersTopic.envelope("d", row, "null", 20, 2));
      run(yaml + SKIP, RunOptions.catchUp());
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "lives"));

      String verified = topic.type("verify", "-c", file(yaml + SKIP)).out();
      assertThat(verified)
          .contains("refused     1 records", "1: version: field:v found 0", "EQUAL");

      String full = yaml.replace("version: field:v\n", "version: field:v\n    before: full\n");
      run(full + SKIP, RunOptions.catchUp().from(StartFrom.parse("earliest")));
      assertThat(topic.rows()).isEmpty();
      assertThat(topic.type("verify", "-c", file(yaml + SKIP)).out()).contains("EQUAL");
    }
  }

  @Test
  void aDeleteOfAnInventedKeyMayHaveBeenAppliedOrNot() throws Exception {
    try (OrdersTopic topic = topic("keyed")) {
      String yaml = topic.yaml().replace("key: [id]", "key: [note]");
      String row = "{\"id\":1,\"note\":\"\"}";
      send(topic, "{\"id\":1}", OrdersTopic.envelope("c", "null", row, 10, 1));
      topic.put(2, "stays", 20, 2);
      send(topic, "{\"id\":1}", OrdersTopic.envelope("d", row, "null", 30, 3));
      run(yaml + SKIP, RunOptions.catchUp());
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "", 2L, "stays"));

      String verified = topic.type("verify", "-c", file(yaml + SKIP)).out();
      assertThat(verified)
          .contains("refused     1 records", "; 1 of them would change the table\n")
          .contains("1: op d: key column note of before: found what its type has", "EQUAL");

      String full = yaml.replace("key: [note]", "key: [note]\n    before: full");
      run(full + SKIP, RunOptions.catchUp().from(StartFrom.parse("earliest")));
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "stays"));
      assertThat(topic.type("verify", "-c", file(full + SKIP)).out()).contains("EQUAL");
      assertThat(topic.type("verify", "-c", file(yaml + SKIP)).out()).contains("EQUAL");
    }
  }

  @Test
  void rowsWithoutTheFlagOfRewrittenDeletesAreNotMissed() throws Exception {
    try (OrdersTopic topic = topic("flat")) {
      String yaml =
          topic
              .yaml()
              .replace(
                  "  topics: ['flat']",
                  "  topics: ['flat']\n  format: debezium-json-flat\n"
                      + "  unwrap: {delete.tombstone.handling.mode: rewrite}")
              .replace("key: [id]\n", "version: kafka-offset\n");
      send(topic, "{\"id\":1}", "{\"id\":1,\"note\":\"lives\",\"__deleted\":\"false\"}");
      send(topic, "{\"id\":2}", "{\"id\":2,\"note\":\"refused\"}");
      send(topic, "{\"id\":1}", null);
      run(yaml + SKIP, RunOptions.catchUp());
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "lives"));

      assertThat(topic.type("verify", "-c", file(yaml + SKIP)).out())
          .contains("refused     2 records", "; 1 of them would change the table\n")
          .contains("1: deleted is missing", "1: found a record without a row", "EQUAL");
    }
  }

  private static OrdersTopic topic(String name) throws Exception {
    return new OrdersTopic(kafka, name, Files.createDirectories(directory.resolve(name)));
  }

  private static String update(long id, String note, long lsn, long seconds) {
    String after = "{\"id\":%d,\"note\":\"%s\"}".formatted(id, note);
    return OrdersTopic.envelope("u", "null", after, lsn, seconds);
  }

  /** Into the last partition. */
  private static void send(OrdersTopic topic, String key, @Nullable String value) throws Exception {
    int last = kafka.endOffsets(topic.name).size() - 1;
    topic.send(
        new ProducerRecord<>(
            topic.name, last, key.getBytes(UTF_8), value == null ? null : value.getBytes(UTF_8)));
  }

  private static void run(String yaml, RunOptions options) throws InterruptedException {
    OrdersTopic.run(Settings.parse(yaml, Map.of()), options);
  }

  private static String file(String yaml) throws Exception {
    return Files.writeString(directory.resolve("verified.yaml"), yaml).toString();
  }
}
