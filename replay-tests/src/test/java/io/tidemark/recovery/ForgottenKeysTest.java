package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.TopicPartition;
import io.tidemark.config.StartFrom;
import io.tidemark.failure.RefusedException;
import io.tidemark.fault.Parts;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestCluster;
import io.tidemark.job.TestJob;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real jobs on a table that remembers deleted keys for one day. */
class ForgottenKeysTest {
  private static final String ONE_DAY = "tombstones: {retention: 1d}\n";
  private static final String SKIPPING = ONE_DAY + "errors: {policy: skip}\n";
  private static final long DAY = 86_400;

  @TempDir private Path directory;

  @Test
  void forgottenKeysStayDeadUntilSomebodyAcceptsThem() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.producedAt(10);
      topic.put(1, "dies", 10, 1);
      topic.delete(1, 20, 2);
      topic.put(2, "lives", 30, 3);
      topic.producedAt(5 * DAY + 10);
      topic.put(3, "lives", 40, 5 * DAY);
      run(topic, RunOptions.catchUp());
      assertThat(topic.summary()).containsEntry("tidemark.horizon", "1970-01-05");
      assertThat(remembered(topic)).containsExactly(1L);

      topic.producedAt(6 * DAY + 10);
      topic.put(4, "dies", 50, 6 * DAY);
      topic.delete(4, 60, 6 * DAY + 1);
      run(topic, RunOptions.catchUp());
      assertThat(topic.summary()).containsEntry("tidemark.horizon", "1970-01-06");
      assertThat(remembered(topic)).containsExactly(4L);
      expire(topic.table());
      expire(topic.table(OrdersTopic.TABLE + "__tombstones"));

      lateChangesStopTheJobOrAreSkipped(topic);
      replaysFromBeforeTheHorizonAreRefusedOrAccepted(topic);
      assertThat(topic.rows())
          .isEqualTo(Map.of(2L, "lives", 3L, "lives", 8L, "late", 9L, "never seen"));
      verifySaysEqual(topic, 0);
    }
  }

  /** Where it was stopped it has read an insert and not the delete after it. */
  @Test
  void anAcceptedReplayThatWasStoppedIsTypedAgain() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.producedAt(10);
      topic.put(1, "dies", 10, 1);
      topic.delete(1, 20, 2);
      topic.put(2, "lives", 30, 3);
      topic.put(3, "lives", 40, 5 * DAY);
      run(topic, RunOptions.catchUp());
      topic.put(4, "dies", 50, 6 * DAY);
      topic.delete(4, 60, 6 * DAY + 1);
      run(topic, RunOptions.catchUp());
      assertThat(remembered(topic)).containsExactly(4L);
      replayFirstRecord(topic);
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "dies", 2L, "lives", 3L, "lives"));

      String file = Files.writeString(topic.file(), topic.yaml() + ONE_DAY).toString();
      String again = "run -c " + file + " --from orders:0=0 --accept-horizon";
      OrdersTopic.Outcome refused = topic.type("run", "-c", file, "--until", "caught-up");
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(refused.err()).contains("orders-0 from offset 0").contains("./tidemark " + again);
      assertThat(topic.type("check", "-c", file).out()).contains("./tidemark " + again);
      assertThat(topic.type("status", "-c", file).out())
          .contains("  replay      orders-0 from offset 0: under way with --accept-horizon");
      assertThat(topic.type("verify", "-c", file).out())
          .contains("replay      orders, offsets by partition {0=0}: under way")
          .contains("DIFFERENT: 1 difference");

      String[] words = (again + " --until caught-up").split(" ");
      assertThat(topic.type(words).exit()).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "lives", 3L, "lives"));
      assertThat(topic.summary()).doesNotContainKey("tidemark.replay");
      assertThat(topic.type("verify", "-c", file).out()).contains("EQUAL");
    }
  }

  /** Key 1 was made in partition 0 and deleted in partition 1, to which it had come. */
  @Test
  void anAcceptedReplayReadsThePartitionsOfTheDeletesToo() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.producedAt(10);
      topic.put(1, "dies", 10, 1);
      topic.put(2, "lives", 11, 2);
      run(topic, RunOptions.catchUp());
      topic.addPartition(); // into which all goes from now on
      topic.producedAt(5);
      topic.put(5, "lives", 19, 3); // Kafka took it before what is read again: not needed
      topic.producedAt(20);
      topic.put(3, "lives", 20, 3);
      topic.delete(1, 21, 4);
      topic.put(3, "lives", 30, 10 * DAY);
      String after = "{\"id\":2,\"note\":\"lives\"}";
      String update = OrdersTopic.envelope("u", "null", after, 31, 10 * DAY);
      topic.send(OrdersTopic.record("orders", 0, 10 * DAY * 1000, 2, update));
      run(topic, RunOptions.catchUp());
      topic.delete(4, 41, 11 * DAY);
      run(topic, RunOptions.catchUp());
      assertThat(remembered(topic)).containsExactly(4L); // no more of key 1

      String file = Files.writeString(topic.file(), topic.yaml() + ONE_DAY).toString();
      String all = "run -c " + file + " --from orders:0=0,orders:1=1 --accept-horizon";
      String one = "run -c " + file + " --from orders:0=0 --accept-horizon --until caught-up";
      OrdersTopic.Outcome refused = topic.type(one.split(" "));
      assertThat(refused.exit()).isEqualTo(3);
      assertThat(refused.err())
          .contains("orders-1: offset 5 is wanted, it needs 1\n")
          .contains("Read them together: ./tidemark " + all);

      assertThat(topic.type((all + " --until caught-up").split(" ")).err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "lives", 3L, "lives", 5L, "lives"));
      assertThat(topic.type("verify", "-c", file).out()).contains("EQUAL");
      String earliest = "run -c " + file + " --from earliest --accept-horizon --until caught-up";
      assertThat(topic.type(earliest.split(" ")).err()).isEmpty();
      String timestamp = "run -c " + file + " --from timestamp=1970-01-01T00:00:05Z";
      timestamp += " --accept-horizon --until caught-up";
      assertThat(topic.type(timestamp.split(" ")).err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "lives", 3L, "lives", 5L, "lives"));
    }
  }

  /** Retention has taken where it began, and the other partition was read on by it. */
  @Test
  void anAcceptedReplayWhoseBeginningIsGoneIsReadTogetherAsTheMessageSays() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.growTo(2);
      topic.producedAt(10);
      topic.into(0).put(1, "dies", 10, 1);
      topic.delete(1, 20, 2);
      topic.put(3, "lives", 40, 5 * DAY);
      topic.producedAt(5);
      topic.into(1).put(2, "lives", 30, 5 * DAY);
      run(topic, RunOptions.catchUp());
      topic.producedAt(20);
      topic.put(2, "lives", 50, 6 * DAY);
      replayFirstRecord(topic);
      assertThat(topic.summary()).containsEntry("tidemark.replay", "{\"orders\":{\"0\":0}}");
      assertThat(topic.summary())
          .containsEntry("tidemark.offsets", "{\"orders\":{\"0\":3,\"1\":2}}");
      topic.forgetBelow(0, 1);

      String file = Files.writeString(topic.file(), topic.yaml() + ONE_DAY).toString();
      String gone = "run -c " + file + " --from orders:0=0 --accept-horizon --accept-gap";
      OrdersTopic.Outcome refused = topic.type((gone + " --until caught-up").split(" "));
      String together = "Read them together: ./tidemark ";
      assertThat(refused.err()).contains("orders-1: offset 2 is wanted, it needs 1", together);
      String typed = refused.err().substring(refused.err().indexOf(together) + together.length());
      typed = typed.lines().findFirst().orElseThrow().replace("FILE", file);
      assertThat(topic.type((typed + " --until caught-up").split(" ")).err()).isEmpty();
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "lives", 3L, "lives"));
      assertThat(topic.summary()).doesNotContainKey("tidemark.replay");
    }
  }

  private void replayFirstRecord(OrdersTopic topic) throws Exception {
    RunOptions replay = RunOptions.catchUp().from(StartFrom.parse("orders:0=0")).acceptingHorizon();
    Parts stopped =
        new Parts() {
          @Override
          public Map<TopicPartition, Long> until(Map<TopicPartition, Long> real) {
            Map<TopicPartition, Long> until = new TreeMap<>(real);
            until.put(new TopicPartition("orders", 0), 1L);
            return until;
          }
        };
    try (TestCluster cluster = TestCluster.start(1, 1, directory, Map.of());
        TestJob job = cluster.submit(topic.settings(ONE_DAY), replay, stopped)) {
      job.awaitEnd();
    }
  }

  private static void lateChangesStopTheJobOrAreSkipped(OrdersTopic topic) throws Exception {
    topic.put(1, "late", 15, 1);
    assertThatThrownBy(() -> run(topic, RunOptions.catchUp()))
        .hasStackTraceContaining(
            "topic orders, partition 0, offset 6: the change was made at 1970-01-01T00:00:01Z,"
                + " before the table's horizon 1970-01-06T00:00:00Z, and nothing is known of its"
                + " key so far back");
    assertThat(topic.summary()).containsEntry("tidemark.offsets", "{\"orders\":{\"0\":6}}");
    topic.put(4, "late", 55, 6 * DAY); // this one is remembered
    topic.put(8, "late", 17, 1);
    OrdersTopic.run(topic.settings(SKIPPING), RunOptions.catchUp());
    assertThat(topic.summary()).containsEntry("tidemark.offsets", "{\"orders\":{\"0\":9}}");
    assertThat(topic.rows()).isEqualTo(Map.of(2L, "lives", 3L, "lives"));
    verifySaysEqual(topic, 1);
  }

  /** What was put aside may be missing, and what was accepted since may be there. */
  private static void verifySaysEqual(OrdersTopic topic, int wouldChange) throws Exception {
    Path file = Files.writeString(topic.file(), topic.yaml() + SKIPPING);
    assertThat(topic.type("verify", "-c", file.toString()).out())
        .contains("; " + wouldChange + " of them would change the table\n")
        .contains("the change was made before a horizon that the table may have had by then")
        .contains("EQUAL");
  }

  private static void replaysFromBeforeTheHorizonAreRefusedOrAccepted(OrdersTopic topic)
      throws Exception {
    RunOptions earliest = RunOptions.catchUp().from(StartFrom.parse("earliest"));
    assertThatThrownBy(() -> run(topic, earliest))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(
            "orders-0: offset 0 is wanted, the first that Kafka took after the horizon is 3\n")
        .hasMessageContaining("(--from timestamp=1970-01-06T00:00:00Z)");
    topic.put(9, "never seen", 16, 1);
    run(topic, RunOptions.catchUp().acceptingHorizon());
    assertThat(topic.rows()).containsEntry(9L, "never seen").hasSize(3);

    // Offset 6, the late update of key 1, is in there, too.
    String after = "timestamp=1970-01-06T00:00:00Z";
    OrdersTopic.run(topic.settings(SKIPPING), RunOptions.catchUp().from(StartFrom.parse(after)));
    assertThat(topic.rows()).hasSize(3);
    run(topic, earliest.acceptingHorizon());
  }

  private static void run(OrdersTopic topic, RunOptions options) throws InterruptedException {
    OrdersTopic.run(topic.settings(ONE_DAY), options);
  }

  private static void expire(Table table) {
    table
        .expireSnapshots()
        .expireOlderThan(table.currentSnapshot().timestampMillis() + 1)
        .retainLast(1)
        .commit();
  }

  private static TreeSet<Long> remembered(OrdersTopic topic) throws Exception {
    TreeSet<Long> keys = new TreeSet<>();
    Table tombstones = topic.table(OrdersTopic.TABLE + "__tombstones");
    try (CloseableIterable<Record> rows = IcebergGenerics.read(tombstones).build()) {
      rows.forEach(row -> keys.add((Long) row.getField("id")));
    }
    return keys;
  }
}
