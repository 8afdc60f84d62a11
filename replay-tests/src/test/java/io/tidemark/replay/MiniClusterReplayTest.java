package io.tidemark.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.StartPosition;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.Offsets;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.TableCheck;
import io.tidemark.script.EventScript;
import io.tidemark.script.ScriptOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The real job on Flink and Kafka: tasks fail, jobs are killed with all their state, nothing is
 * lost.
 */
@Timeout(300)
class MiniClusterReplayTest {

  @TempDir Path warehouse;

  @ParameterizedTest(name = "usual seed {0}")
  @ValueSource(longs = {3, 4})
  void jobsAreKilledInTheMiddleAndStartWithoutState(long usual) throws Exception {
    long seed = Seed.of("jobsAreKilled", usual);
    Random random = new Random(seed);
    EventScript script = script(seed, "kills-" + usual);
    ReplayJob job = job("kills-" + usual, "partition: ['bucket(2, id)']");
    List<RawEvent> events = script.events();
    int sent = 0;

    while (sent < events.size()) {
      int until = Math.min(events.size(), sent + events.size() / 3 + 1);
      ReplayKafka.produce(job.topic(), events.subList(sent, until));
      sent = until;
      RunOptions how = RunOptions.streaming();
      RunOptions from = random.nextBoolean() ? how : how.from(new StartPosition.Earliest());
      try (LocalJob running = LocalJob.start(job.settings(Duration.ofMillis(100)), from)) {
        Thread.sleep(300 + random.nextInt(1200));
        running.kill();
      }
    }
    job.catchUp();

    System.out.println(job.check());
  }

  @Test
  void readingFromEarliestAgainChangesNothing() throws Exception {
    long seed = Seed.of("readingFromEarliest", 5);
    ReplayJob job = job("again", "partition: [region]");
    ReplayKafka.produce(job.topic(), script(seed, "again").events());
    job.catchUp();
    long snapshot = job.table().currentSnapshot().snapshotId();

    job.catchUpFrom(new StartPosition.Earliest());

    job.check();
    assertThat(job.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
  }

  @Test
  void offsetsOfTheConsumerGroupAreNotBelieved() throws Exception {
    long seed = Seed.of("offsetsOfTheConsumerGroup", 6);
    EventScript script = script(seed, "group");
    List<RawEvent> events = script.events();
    ReplayJob job = job("group", "partition: []");
    ReplayKafka.produce(job.topic(), events.subList(0, events.size() / 2));
    job.catchUp();
    Offsets before = TableCheck.lastOffsets(job.table());

    ReplayKafka.produce(job.topic(), events.subList(events.size() / 2, events.size()));
    ReplayKafka.commitGroupAtEnd(job.group(), job.topic());
    job.catchUp();

    System.out.println(job.check());
    assertThat(TableCheck.lastOffsets(job.table())).isNotEqualTo(before);
  }

  @Test
  void aNewTableIsNotReadFromTheOffsetsOfTheConsumerGroup() throws Exception {
    long seed = Seed.of("aNewTable", 7);
    ReplayJob job = job("group-new", "partition: []");
    ReplayKafka.produce(job.topic(), script(seed, "group-new").events());
    ReplayKafka.commitGroupAtEnd(job.group(), job.topic());

    job.catchUp();

    System.out.println(job.check());
  }

  private ReplayJob job(String topic, String partition) {
    ReplayKafka.createTopic(topic, 3);
    return new ReplayJob(topic, warehouse, OracleOptions.DEFAULT, List.of(partition));
  }

  private static EventScript script(long seed, String topic) {
    EventScript script =
        EventScript.of(
            ScriptOptions.of(seed)
                .topic(topic)
                .partitions(3)
                .size(30, 200)
                .resnapshots(1)
                .ties(0.1)
                .repeated(4, 30, 1));
    System.out.println(script);
    return script;
  }
}
