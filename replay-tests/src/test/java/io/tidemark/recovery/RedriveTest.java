package io.tidemark.recovery;

import static io.tidemark.recovery.LettersTopic.row;
import static io.tidemark.recovery.LettersTopic.snapshotRow;
import static io.tidemark.recovery.OrdersTopic.envelope;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.Settings;
import io.tidemark.job.JobFailedException;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.sandbox.TopicLog;
import io.tidemark.verify.RewrittenRows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that were put aside come back as if they had been read in their turn. */
@Timeout(300)
class RedriveTest {
  @TempDir private static Path broker;
  private static EmbeddedKafka kafka;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws Exception {
    kafka = EmbeddedKafka.start(broker.resolve("kafka"));
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @Test
  void lettersComeBackWhereTheyWere() throws Exception {
    try (LettersTopic topic = topic("back")) {
      produce(topic);
      assertThat(topic.type("fail", "run", "--until", "caught-up").out())
          .contains(" rows changed, 8 put aside, lag 0.");
      assertThat(topic.orders.rows())
          .isEqualTo(Map.of(1L, "newer", 5L, "e", 6L, "x", 7L, "second"));
      assertThat(topic.type("fail", "verify").out())
          .contains("put aside   8 records; 0 of them would change the table", "EQUAL");

      Outcome dry = topic.type("null", "redrive", "--dry-run");
      assertThat(dry.out())
          .contains(
              "in place    2 ", "would go in 2: 2 rows written, 0 keys deleted", "refused     4")
          .contains(
              "topic back, partition 0, offset 4 (letter: topic back.dead, partition 0, offset ")
          .doesNotContain(LettersTopic.BROKEN);
      assertThat(dry.exit()).isEqualTo(1);

      topic.correct(4, 3, "wrong at first");
      topic.correct(4, 3, topic.right.get(4L));
      topic.correct(5, 5, topic.right.get(5L));
      topic.drop(13);
      topic.copyLetters(); // as a job writes them that reads the same again
      assertThat(topic.type("null", "verify").out())
          .contains("put aside   8 records; 4 of them would change the table", "EQUAL");
      topic.keepCopy();
      Outcome done = topic.type("null", "redrive");
      assertThat(done.out())
          .contains(
              "left out    1 ", "in place    2 ", "put back    4: 3 rows written, 1 keys deleted")
          .contains("refused     1\n  topic back, partition 0, offset 12 ");
      assertThat(done.exit()).isEqualTo(1);
      topic.assertIsAsOfTheRightLog("right");

      long snapshot = topic.orders.table().currentSnapshot().snapshotId();
      assertThat(topic.type("null", "redrive").out()).contains("put back    0", "in place    6 ");
      assertThat(topic.orders.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
      List<String> before = topic.all();
      assertThat(topic.run("null", "--from", "earliest")).isZero();
      assertThat(topic.all()).isEqualTo(before);

      // Killed in the commit: the tombstones are there, the table is as it was.
      topic.putBack();
      assertThat(topic.type("null", "verify").out()).contains("4 of them would change", "EQUAL");
      assertThat(topic.type("null", "redrive").out()).contains("put back    4");
      assertThat(topic.all()).isEqualTo(before);
      assertThat(topic.type("null", "verify").out())
          .contains("put aside   8 records; 0 of them would change the table", "EQUAL");
    }
  }

  private static void produce(LettersTopic topic) throws Exception {
    topic.good(1, row("r", 1, "snapshot", 500, "null"));
    topic.good(1, row("u", 1, "a", 1000, "null"));
    topic.good(2, row("u", 2, "now decodable", 1010, "\"infinity\""));
    topic.good(5, row("u", 5, "e", 1020, "null"));
    topic.bad(3, row("u", 3, "corrected", 1030, "null"));
    topic.bad(5, envelope("d", "{\"id\":5}", "null", 1040, 4));
    topic.good(1, row("u", 1, "loses", 1050, "\"infinity\""));
    topic.good(1, row("u", 1, "newer", 1060, "null"));
    topic.good(6, row("u", 6, "x", 1070, "null"));
    topic.good(6, row("u", 6, "ties, and is later", 1070, "\"infinity\""));
    topic.good(7, row("u", 7, "ties, and is earlier", 1080, "\"infinity\""));
    topic.good(7, row("u", 7, "second", 1080, "null"));
    topic.bad(8, null);
    topic.bad(9, null);
  }

  @Test
  void snapshotsAndTheirLettersKeepTheirRanks() throws Exception {
    try (LettersTopic topic = topic("ranks")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      topic.good(2, row("u", 2, "b", 1020, "null"));
      topic.bad(2, snapshotRow(2, "of a snapshot that was never read", 3000));
      topic.good(3, row("u", 3, "c", 3010, "null"));
      topic.bad(1, row("u", 1, "before a snapshot that shows its result", 4000, "null"));
      topic.good(1, snapshotRow(1, "result", 5000));
      topic.good(3, row("u", 3, "d", 5010, "null"));
      assertThat(topic.run("fail")).isZero();
      topic.correct(2, 2, topic.right.get(2L));
      topic.correct(4, 1, topic.right.get(4L));

      Outcome done = topic.type("fail", "redrive");
      assertThat(done.out())
          .contains(
              "put back    1: 1 rows written",
              "refused     1\n  topic ranks, partition 0, offset 4 ")
          .contains("the source took a snapshot");
      assertThat(topic.orders.rows().get(1L)).isEqualTo("result");
      topic.drop(4);
      topic.right.put(4L, null);
      assertThat(topic.type("fail", "redrive").exit()).isZero();
      topic.assertIsAsOfTheRightLog("ranks-right");
      assertThat(topic.type("fail", "verify").out()).contains("EQUAL");
      List<String> before = topic.all();
      assertThat(topic.run("dead-letter", "--from", "earliest")).isZero();
      assertThat(topic.all()).isEqualTo(before);
    }
  }

  @Test
  void ranksAreLearnedThoughNoRowChanges() throws Exception {
    try (LettersTopic topic = topic("learned")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      topic.good(2, row("r", 2, "of a snapshot that was never read", 3000, "\"infinity\""));
      topic.good(2, row("u", 2, "newer", 3010, "null"));
      assertThat(topic.run("fail")).isZero();

      assertThat(topic.type("null", "redrive").out())
          .contains("in place    1 ", "put back    0: 0 rows written, 0 keys deleted", "commit ");
      assertThat(topic.orders.summary().get("tidemark.generations"))
          .contains("{\"learned\":{\"0\":{\"0000000000000bb8.0000000000000bb8.");
      long snapshot = topic.orders.table().currentSnapshot().snapshotId();
      assertThat(topic.type("null", "redrive").out()).doesNotContain("commit ");
      assertThat(topic.orders.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
      List<String> before = topic.all();
      assertThat(topic.run("null", "--from", "earliest")).isZero();
      assertThat(topic.all()).isEqualTo(before);
    }
  }

  @Test
  void lettersFromBeforeAnEpochKeepTheirsAndLeaveColumnsOut() throws Exception {
    String unsent = "__debezium_unavailable_value";
    try (LettersTopic topic = topic("epochs")) {
      topic.good(1, row("u", 1, "long", 1000, "null"));
      topic.bad(1, row("u", 1, unsent, 1010, "\"2020-01-01T00:00:00Z\""));
      topic.good(2, row("u", 2, "old", 1020, "null"));
      topic.bad(2, row("u", 2, "put aside", 1030, "null"));
      topic.bad(3, row("u", 3, unsent, 1040, "null"));
      assertThat(topic.run("fail")).isZero();
      assertThat(topic.type("fail", "epoch", "--begin", "epochs:0=5").exit()).isZero();
      topic.good(2, row("u", 2, "new server", 10, "null"));
      assertThat(topic.run("fail")).isZero();
      topic.correct(1, 1, topic.right.get(1L));
      topic.correct(3, 2, topic.right.get(3L));
      topic.correct(4, 3, topic.right.get(4L));

      assertThat(topic.type("fail", "redrive").out())
          .contains("in place    1 ", "put back    1: 1 rows written, 0 keys deleted")
          .contains("refused     1\n  topic epochs, partition 0, offset 4 ")
          .contains("column note: the source left its value out (TOAST)");
      assertThat(topic.orders.rows()).isEqualTo(Map.of(1L, "long", 2L, "new server"));
      assertThat(topic.all()).anyMatch(row -> row.contains("long, 2020-01-01T00:00Z"));
      topic.drop(4);
      assertThat(topic.type("fail", "verify").out()).contains("EQUAL");
    }
  }

  @Test
  void aLetterThatDoesNotFitStopsTheJobUntilItsTopicTakesIt() throws Exception {
    try (LettersTopic topic = topic("large")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      String large = "x".repeat(1_048_450); // Kafka's own limit, but for the head of a batch
      topic.good(2, large);

      Outcome stopped = topic.type("fail", "run", "--until", "caught-up");
      assertThat(stopped.exit()).isEqualTo(3);
      assertThat(stopped.err())
          .contains("topic large, partition 0, offset 1: the record cannot be put aside: with")
          .contains("topic large.dead takes 1048588. Raise that topic's max.message.bytes")
          .contains("because of this: value: ")
          .doesNotContain("xxx");
      assertThat(kafka.endOffsets("large.dead")).isEqualTo(Map.of(0, 0L));

      topic.orders.takes("large.dead", 2_000_000);
      assertThat(topic.run("fail")).isZero();
      assertThat(topic.orders.rows()).isEqualTo(Map.of(1L, "a"));
      assertThat(TopicLog.read(kafka, "large.dead"))
          .singleElement()
          .satisfies(letter -> assertThat(letter.value()).isEqualTo(large.getBytes(UTF_8)));
    }
  }

  @Test
  void whatVerifyFindsAmongThemIsRepairedByTheirLetters() throws Exception {
    try (LettersTopic topic = topic("damage")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      topic.good(2, row("u", 2, "b", 1005, "null"));
      topic.bad(1, row("u", 1, "first correction", 1010, "null"));
      assertThat(topic.run("fail")).isZero();
      topic.correct(2, 1, topic.right.get(2L));
      assertThat(topic.type("fail", "redrive").exit()).isZero();
      topic.right.put(2L, row("u", 1, "second correction", 1010, "null"));
      topic.correct(2, 1, topic.right.get(2L));

      assertThat(topic.type("fail", "redrive").out()).contains("in place    1 ");
      assertThat(topic.type("fail", "verify").exit()).isEqualTo(1);
      assertThat(topic.type("fail", "verify", "--repair").exit()).isZero();
      assertThat(topic.orders.rows()).isEqualTo(Map.of(1L, "second correction", 2L, "b"));
    }
  }

  @Test
  void whatIsNoLetterOfThisTableChangesNothing() throws Exception {
    try (LettersTopic topic = topic("strange")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      topic.bad(1, row("u", 1, "b", 1010, "null"));
      assertThat(topic.run("fail")).isZero();
      long snapshot = topic.orders.table().currentSnapshot().snapshotId();
      String value = topic.right.get(1L);
      topic.orders.send(topic.letter(Map.of("tidemark.topic", topic.orders.name), 1, value));
      topic.orders.send(topic.letter(LettersTopic.place("another", "0", "7"), 1, value));
      topic.orders.send(topic.letter(LettersTopic.place(topic.orders.name, "0", "x"), 1, value));
      topic.orders.send(topic.letter(LettersTopic.place(topic.orders.name, "0", "99"), 1, value));
      Map<String, String> former = LettersTopic.place(topic.orders.name, "0", "0");
      former.put("tidemark.topic-id", "AAAAAAAAAAAAAAAAAAAAAA");
      topic.orders.send(topic.letter(former, 1, value));

      Outcome outcome = topic.type("fail", "redrive");
      assertThat(outcome.exit()).isEqualTo(1);
      assertThat(outcome.out())
          .contains("passed over 1 letters of other topics")
          .contains("passed over 1 letters of a topic of this name that was deleted")
          .contains("refused     4")
          .contains(
              "(letter: topic strange.dead, partition 0, offset 1): header tidemark.partition is")
          .contains("header tidemark.offset is \"x\", expected a number from 0 on")
          .contains("offset 99 (letter: ", "the table has been read up to offset 2 only");
      assertThat(topic.orders.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
      // Without what a letter of the job says, the log tells it, as long as it is all there.
      kafka.createTopic("strange.other", 1);
      ProducerRecord<byte[], byte[]> bare =
          topic.letter(LettersTopic.place(topic.orders.name, "0", "1"), 1, value);
      topic.orders.send(
          new ProducerRecord<>("strange.other", 0, bare.key(), bare.value(), bare.headers()));
      Path file = directory.resolve("other.yaml");
      Files.writeString(
          file, Files.readString(topic.file("fail")).replace("strange.dead", "strange.other"));
      assertThat(topic.orders.type("redrive", "-c", file.toString()).out())
          .contains("put back    1: 1 rows written");
      assertThat(topic.orders.rows()).isEqualTo(Map.of(1L, "b"));
    }
  }

  @Test
  void aRepairLeavesRowsThatSeveralChangesTell() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "toast", directory)) {
      topic.put(1, "long", 1000, 10);
      topic.put(1, "__debezium_unavailable_value", 1010, 11);
      topic.put(2, "b", 1020, 12);
      topic.run(RunOptions.catchUp());
      List<Record> rows = new ArrayList<>();
      try (CloseableIterable<Record> records = IcebergGenerics.read(topic.table()).build()) {
        records.forEach(row -> rows.add(row.copy("note", "damaged")));
      }
      RewrittenRows.replaceAll(topic.table(), rows);

      Outcome repaired = topic.type("verify", "-c", topic.file() + "", "--repair");
      assertThat(repaired.out())
          .contains(
              "Left as they are: 1 keys whose change leaves columns out (TOAST), at toast-0@1:")
          .contains("REPAIRED by commit", "1 changes were applied again", "different rows: 1 ");
      assertThat(repaired.exit()).isEqualTo(1);
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "damaged", 2L, "b"));
      long snapshot = topic.table().currentSnapshot().snapshotId();
      assertThat(topic.type("verify", "-c", topic.file() + "", "--repair").out())
          .contains("Nothing was repaired.");
      assertThat(topic.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);

      var again = topic.table().newAppend();
      topic.table().newScan().planFiles().forEach(task -> again.appendFile(task.file()));
      again.commit();
      Outcome refused = topic.type("verify", "-c", topic.file() + "", "--repair");
      assertThat(refused.err()).contains("cannot be accepted while a key is left");
      assertThat(refused.exit()).isEqualTo(3);
    }
  }

  @Test
  void verifyPassesOverWhatTheJobSkips() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "skipped", directory)) {
      topic.put(1, "a", 1000, 10);
      String orphan = "{\"id\":2,\"note\":\"leaves 1 behind\"}";
      topic.send(
          OrdersTopic.record(
              topic.name, 0, null, 2, envelope("u", "{\"id\":1}", orphan, 1010, 11)));
      String strange = "{\"id\":3,\"note\":\"is not of its message's key\"}";
      topic.send(
          OrdersTopic.record(topic.name, 0, null, 1, envelope("u", "null", strange, 1020, 12)));
      topic.put(1, "b", 1030, 13);
      String yaml = topic.yaml().replace("key: [id]", "key: []") + "errors: {policy: skip}\n";
      String file = Files.writeString(directory.resolve("skip.yaml"), yaml).toString();
      assertThat(topic.type("run", "-c", file, "--until", "caught-up").exit()).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "b"));

      assertThat(topic.type("verify", "-c", file).out())
          .contains("skipped     2 records that cannot be understood", "EQUAL");
    }
  }

  @Test
  void aJobThatRunsStopsAtItsNextCommit() throws Exception {
    try (LettersTopic topic = topic("running")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      topic.bad(1, row("u", 1, "b", 1010, "null"));
      assertThat(topic.run("fail")).isZero();
      topic.correct(1, 1, topic.right.get(1L));
      try (LocalJob job =
          LocalJob.start(Settings.read(topic.file("fail")), RunOptions.streaming())) {
        assertThat(topic.type("fail", "redrive").exit()).isZero();
        topic.good(2, row("u", 2, "c", 1020, "null"));

        assertThatThrownBy(job::await)
            .isInstanceOf(JobFailedException.class)
            .hasStackTraceContaining("by incarnation redrive ");
      }
      assertThat(topic.run("fail")).isZero();
      assertThat(topic.orders.rows()).isEqualTo(Map.of(1L, "b", 2L, "c"));
    }
  }

  @Test
  void nothingIsPutBackBesideAJobThatCommits() throws Exception {
    try (LettersTopic topic = topic("beside")) {
      topic.good(1, row("u", 1, "a", 1000, "null"));
      topic.bad(2, row("u", 2, "b", 1010, "null"));
      assertThat(topic.run("fail")).isZero();
      topic.correct(1, 2, topic.right.get(1L));
      topic.good(3, row("u", 3, "c", 1020, "null"));
      Path slow =
          Files.writeString(
              directory.resolve("slow.yaml"),
              Files.readString(topic.file("fail"))
                  .replace("type: hadoop", "catalog-impl: " + CommittedBeside.class.getName()));
      CommittedBeside.NEXT.set(() -> topic.run("fail"));

      Outcome beside = topic.orders.type("redrive", "-c", slow + "");
      assertThat(beside.err())
          .contains(
              "Nothing was put back: a job is writing to table shop.orders. Stop it first, then"
                  + " type the command again");
      assertThat(beside.exit()).isEqualTo(3);
      assertThat(topic.orders.rows()).isEqualTo(Map.of(1L, "a", 3L, "c"));
      assertThat(topic.type("fail", "redrive").out()).contains("put back    1");
      topic.assertIsAsOfTheRightLog("afterwards");
    }
  }

  private LettersTopic topic(String name) {
    return new LettersTopic(kafka, name, directory);
  }
}
