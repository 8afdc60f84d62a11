package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.NewEpoch;
import io.tidemark.failure.RefusedException;
import io.tidemark.job.EpochBeginning;
import io.tidemark.job.JobFailedException;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.Epochs;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What stops because its order is unknown goes on with the command that the message names. */
@Timeout(300)
class BegunEpochTest {
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
  void aSourceThatStartedOverGoesOnAndAReplayChangesNothing() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "restored", directory)) {
      topic.snapshotRow(1, "snapshot", 500, 1);
      topic.put(1, "before", 1000, 1);
      topic.put(2, "before", 1010, 2);
      topic.put(4, "before", 1020, 2);
      assertThat(run(topic)).isZero();
      // The same snapshot name and lower positions, of a database that was restored.
      topic.put(1, "after", 20, 100);
      topic.snapshotRow(3, "after", 500, 100);
      topic.put(3, "later", 30, 101);
      topic.delete(2, 40, 102);

      Outcome stopped = topic.type("run", "-c", topic.file() + "", "--until", "caught-up");
      assertThat(stopped.exit()).isEqualTo(3);
      assertThat(stopped.err())
          .contains("topic restored, partition 0, offset 4: position ")
          .contains("the source's positions started over")
          .contains("at offset 4. ");
      String[] command = stopped.command();
      assertThat(String.join(" ", command))
          .isEqualTo("epoch -c " + topic.file() + " --begin restored:0=4");
      Outcome begun = topic.type(command);
      assertThat(begun.out())
          .isEqualTo(
              """
              Epoch 1 begins:
                restored-0 at offset 4
              Go on with: ./tidemark run -c %s
              """
                  .formatted(topic.file()));
      assertThat(begun.exit()).isZero();

      assertThat(run(topic)).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "after", 3L, "later", 4L, "before"));
      Epochs epochs = new Epochs(Map.of("restored-0", new TreeMap<>(Map.of(4L, 1))));
      topic.invariants(epochs, topic::log).caughtUp();
      assertThatThrownBy(() -> topic.invariants().caughtUp()).isInstanceOf(AssertionError.class);
      assertThat(Epochs.parse(topic.summary().get("tidemark.epochs"))).isEqualTo(epochs);

      RememberedTable before = topic.invariants().remember();
      assertThat(run(topic, "--from", "earliest")).isZero();
      before.orThrow();
      Outcome verified = topic.type("verify", "-c", topic.file() + "");
      assertThat(verified.out()).contains("EQUAL: every key and column");
      assertThat(verified.exit()).isZero();
      assertThat(topic.type("status", "-c", topic.file() + "").out())
          .contains("epochs      restored-0 is in epoch 1 from offset 4");
    }
  }

  @Test
  void aJobThatRunsStopsAtItsNextCommit() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "running", directory)) {
      topic.put(1, "before", 1000, 1);
      topic.run(RunOptions.catchUp());
      try (LocalJob job = LocalJob.start(topic.settings(""), RunOptions.streaming())) {
        EpochBeginning.begin(topic.settings(""), at("running", 1));
        topic.put(1, "after", 1010, 2);

        assertThatThrownBy(job::await)
            .isInstanceOf(JobFailedException.class)
            .hasStackTraceContaining("The table is ahead of this job")
            .hasStackTraceContaining("by incarnation epoch --begin ");
      }
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "before"));
      assertThat(run(topic)).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "after"));
      assertThat(topic.summary().get("tidemark.max-version")).startsWith("00000001-");
    }
  }

  @Test
  void aPartitionThatCameLateGoesOn() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "grown", directory)) {
      topic.put(1, "before", 1000, 1);
      topic.put(2, "before", 1010, 2);
      assertThat(run(topic)).isZero();
      topic.addPartition();
      topic.snapshotRow(1, "moved", 500, 3);

      Outcome stopped = topic.type("run", "-c", topic.file() + "", "--until", "caught-up");
      assertThat(stopped.err()).contains("this partition came after");
      String[] command = stopped.command();
      assertThat(String.join(" ", command)).endsWith(" --begin grown:1=0 --all");
      assertThat(topic.type(command).out())
          .contains("grown-0 at offset 2\n  grown-1 at offset 0\n");

      assertThat(run(topic)).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "moved", 2L, "before"));
      Epochs epochs =
          new Epochs(
              Map.of(
                  "grown-0",
                  new TreeMap<>(Map.of(2L, 1)),
                  "grown-1",
                  new TreeMap<>(Map.of(0L, 1))));
      topic.invariants(epochs, topic::log).caughtUp();
      assertThat(topic.type("verify", "-c", topic.file() + "").exit()).isZero();
    }
  }

  @Test
  void aTopicThatWasCreatedAnewGoesOnWithOffsetsOfItsOwn() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "anew", directory)) {
      topic.put(1, "old", 1000, 1);
      topic.put(2, "old", 1010, 2);
      topic.delete(3, 1020, 3);
      assertThat(run(topic)).isZero();
      String id = topic.summary().get("tidemark.topic-ids").split("\"")[3];
      RawLog old = topic.log();
      topic.recreate();
      topic.snapshotRow(1, "new", 500, 100);
      topic.put(3, "new", 10, 101);

      Outcome stopped = topic.type("run", "-c", topic.file() + "", "--until", "caught-up");
      String[] command = stopped.command();
      assertThat(String.join(" ", command)).endsWith(" --begin anew:0=0 --all");
      assertThat(topic.type(command).exit()).isZero();
      assertThat(topic.summary()).containsEntry("tidemark.offsets", "{\"anew\":{\"0\":0}}");

      assertThat(run(topic)).isZero();
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "new", 2L, "old", 3L, "new"));
      Epochs epochs = new Epochs(Map.of("anew-0", new TreeMap<>(Map.of(0L, 1))));
      topic.invariants(epochs, () -> both(old, id, topic.log())).everySnapshot();

      RememberedTable before = topic.invariants().remember();
      assertThat(run(topic, "--from", "earliest")).isZero();
      before.orThrow();
      Outcome verified = topic.type("verify", "-c", topic.file() + "");
      assertThat(verified.out())
          .contains("lost        what came before epoch 1 was in a topic that is no more")
          .contains("not judged  1 keys")
          .contains("EQUAL");
      assertThat(topic.type("check", "-c", topic.file() + "").exit()).isZero();
    }
  }

  @Test
  void whatCannotBeginIsRefusedWithTheReason() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "refused", directory)) {
      topic.put(1, "a", 1000, 1);
      assertThatThrownBy(() -> EpochBeginning.begin(topic.settings(""), at("refused", 0)))
          .isInstanceOf(RefusedException.class)
          .hasMessageStartingWith("There is no table shop.orders");
      topic.run(RunOptions.catchUp());
      long snapshot = topic.table().currentSnapshot().snapshotId();
      assertThatThrownBy(() -> EpochBeginning.begin(topic.settings(""), at("refused", 0)))
          .hasMessageContaining("the table has been read up to 1");
      assertThatThrownBy(() -> EpochBeginning.begin(topic.settings(""), at("refused", 2)))
          .hasMessageContaining("offset 2 is wanted, Kafka ends at 1");
      Outcome unknown = topic.type("epoch", "-c", topic.file() + "", "--begin", "nosuch:0=0");
      assertThat(unknown.err()).contains("there is no topic nosuch among them");
      assertThat(unknown.exit()).isEqualTo(2);
      assertThat(topic.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
    }
  }

  private static int run(OrdersTopic topic, String... more) throws Exception {
    List<String> words =
        new ArrayList<>(List.of("run", "-c", topic.file() + "", "--until", "caught-up"));
    words.addAll(List.of(more));
    return topic.type(words.toArray(String[]::new)).exit();
  }

  private static NewEpoch.Request at(String topic, long offset) {
    return new NewEpoch.Request(topic, new TreeMap<>(Map.of(0, offset)), false);
  }

  private static RawLog both(RawLog old, String id, RawLog now) {
    List<RawEvent> events = new ArrayList<>(now.events());
    for (RawEvent event : old.events()) {
      events.add(
          new RawEvent(
              Offsets.former(event.topic(), id),
              event.partition(),
              event.offset(),
              event.key(),
              event.value(),
              event.headers()));
    }
    return RawLog.of(events);
  }
}
