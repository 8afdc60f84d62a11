package io.tidemark.recovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.StartFrom;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.Gaps;
import io.tidemark.oracle.Invariants;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gap that somebody accepted over records that Kafka still has stays one, whoever reads. */
class LeftOutForGoodTest {
  private static final RunOptions ACCEPTED =
      RunOptions.catchUp().from(StartFrom.parse("latest")).acceptingGaps();

  @TempDir private static Path shared;
  private static EmbeddedKafka kafka;

  @TempDir private Path directory;

  @BeforeAll
  static void start() {
    kafka = EmbeddedKafka.start(shared.resolve("kafka"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  /**
   * The snapshot has the rank that it got without the gap's changes, which stand above it: whoever
   * read them would put the older row over the newer one.
   */
  @Test
  void replaysComparisonsAndRepairsPassOverIt() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "gapped", directory)) {
      topic.put(1, "a", 10, 1);
      topic.run(RunOptions.catchUp());
      topic.send(OrdersTopic.record("gapped", 0, null, 1, "no JSON"));
      topic.put(1, "gap", 30, 2);
      topic.put(9, "only in the gap", 35, 2);
      topic.run(ACCEPTED);
      topic.snapshotRow(1, "snapshot", 40, 3);
      topic.put(2, "z", 50, 4);
      topic.run(RunOptions.catchUp());
      Map<Long, String> rows = Map.of(1L, "snapshot", 2L, "z");
      assertThat(topic.rows()).isEqualTo(rows);

      equal(topic, 3);
      assertThat(type(topic, "verify", "--repair").out()).doesNotContain("REPAIRED");
      lettersStayOut(topic);
      assertThat(type(topic, "run", "--from", "earliest", "--dry-run").out())
          .contains(
              "0  rows to insert", "0  rows to update", "3  records left out, in accepted gaps");
      Gaps one = Gaps.parse("{\"gapped\":{\"0\":[{\"from\":1,\"to\":3}]}}");
      replaysChangeNothing(topic, Epochs.NONE, one);
      assertThat(topic.rows()).isEqualTo(rows);

      topic.put(3, "gap", 60, 5);
      topic.run(ACCEPTED);
      assertThat(topic.type("epoch", "-c", topic.file() + "", "--begin", "gapped:0=7").exit())
          .isZero();
      topic.put(1, "new server", 5, 100);
      topic.run(RunOptions.catchUp());
      equal(topic, 4);
      Gaps two = Gaps.parse("{\"gapped\":{\"0\":[{\"from\":1,\"to\":3},{\"from\":6,\"to\":6}]}}");
      replaysChangeNothing(topic, Epochs.parse(topic.summary().get("tidemark.epochs")), two);
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "new server", 2L, "z"));
    }
  }

  /** From below the gap, and from inside. */
  private static void replaysChangeNothing(OrdersTopic topic, Epochs epochs, Gaps gaps)
      throws Exception {
    Invariants invariants = topic.invariants(epochs, gaps);
    RememberedTable before = invariants.remember();
    assertThat(type(topic, "run", "--until", "caught-up", "--from", "earliest").out())
        .containsPattern("Caught up: .*, 0 rows changed, [34] left out in accepted gaps, lag 0");
    assertThat(type(topic, "run", "--until", "caught-up", "--from", "gapped:0=2").exit()).isZero();
    before.orThrow();
    invariants.caughtUp();
  }

  /** A job that never committed may have put a record aside that now lies in a gap. */
  private void lettersStayOut(OrdersTopic topic) throws Exception {
    kafka.createTopic("gapped.dead", 1);
    String value = OrdersTopic.envelope("u", "null", "{\"id\":1,\"note\":\"letter\"}", 99, 2);
    ProducerRecord<byte[], byte[]> letter = OrdersTopic.record("gapped.dead", 0, null, 1, value);
    Map.of("tidemark.topic", "gapped", "tidemark.partition", "0", "tidemark.offset", "1")
        .forEach((name, text) -> letter.headers().add(name, text.getBytes(UTF_8)));
    topic.send(letter);
    String yaml = topic.yaml() + "errors: {policy: dead-letter, topic: gapped.dead}\n";
    String file = Files.writeString(directory.resolve("letters.yaml"), yaml).toString();

    Outcome redrive = topic.type("redrive", "-c", file);
    assertThat(redrive.out())
        .contains("left out    1 letters of records in accepted gaps", "put back    0:");
    assertThat(redrive.exit()).isZero();
    assertThat(topic.type("verify", "-c", file).out()).contains("EQUAL").doesNotContain("aside");
  }

  private static void equal(OrdersTopic topic, int leftOut) throws Exception {
    Outcome verified = type(topic, "verify");
    assertThat(verified.out())
        .contains("left out    " + leftOut + " records in accepted gaps", "EQUAL");
    assertThat(verified.exit()).isZero();
  }

  private static Outcome type(OrdersTopic topic, String command, String... more) throws Exception {
    String[] words = new String[more.length + 3];
    words[0] = command;
    words[1] = "-c";
    words[2] = topic.file().toString();
    System.arraycopy(more, 0, words, 3, more.length);
    return topic.type(words);
  }

  /** The way back: the snapshot of before knows no gap. */
  @Test
  void aTableThatIsRolledBackReadsItAgain() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "mistake", directory)) {
      topic.put(1, "a", 10, 1);
      topic.put(2, "b", 20, 2);
      topic.run(RunOptions.catchUp());
      Table table = topic.table();
      long before = table.currentSnapshot().snapshotId();
      topic.delete(2, 30, 3);
      topic.put(1, "gap", 40, 4);
      topic.run(ACCEPTED);
      topic.snapshotRow(1, "snapshot", 50, 5);
      topic.delete(1, 60, 6);
      topic.put(3, "c", 70, 7);
      topic.run(RunOptions.catchUp());
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "b", 3L, "c"));

      table.refresh();
      table.manageSnapshots().rollbackTo(before).commit();
      topic.run(RunOptions.catchUp());

      assertThat(topic.summary()).doesNotContainKey("tidemark.gaps");
      assertThat(topic.rows()).isEqualTo(Map.of(3L, "c"));
      topic.invariants(Epochs.NONE, Gaps.NONE).caughtUp();
      topic.run(RunOptions.catchUp().from(StartFrom.parse("earliest")));
      Outcome verified = type(topic, "verify");
      assertThat(verified.out()).contains("EQUAL").doesNotContain("left out");
    }
  }
}
