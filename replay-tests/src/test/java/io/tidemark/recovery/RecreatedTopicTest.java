package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.Settings;
import io.tidemark.failure.RefusedException;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.job.TestJob;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateProperties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RecreatedTopicTest {
  @TempDir private Path directory;

  @Test
  void aTopicThatWasCreatedAnewIsRefusedAlsoWhereItsOffsetsWouldDo() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "first topic", 10, 1);
      topic.run(RunOptions.catchUp());
      String before = topic.summary().get("tidemark.topic-ids");
      long snapshot = topic.table().currentSnapshot().snapshotId();
      assertThat(before).matches("\\{\"orders\":\"[\\w-]{22}\"}");

      topic.recreate();
      topic.put(2, "second topic", 20, 2);
      topic.put(3, "second topic", 30, 3);

      assertThatThrownBy(() -> topic.run(RunOptions.catchUp()))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("Table shop.orders: Topic orders has the id ")
          .hasMessageContaining(
              "the table's record names " + before.substring(11, before.length() - 2))
          .hasMessageContaining("./tidemark epoch -c FILE --begin orders:0=0 --all");
      assertThat(topic.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
      assertThat(topic.type("status", "-c", topic.file() + "").out())
          .contains("the topic was deleted and created anew", "  lag         unknown\n")
          .containsPattern("orders-0 +1 +\\? +\\?\n");
      assertThat(plantedBug(topic)).isEqualTo(Map.of(1L, "first topic", 3L, "second topic"));
    }
  }

  /**
   * Kafka's consumer goes on in the new topic by itself, as soon as that has its offset. Without
   * the committer's question the table has row 13 then, and lacks 11 and 12 for good.
   */
  @Test
  void aJobStopsWhenItsTopicIsCreatedAnewUnderIt() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "first topic", 10, 1);
      topic.put(2, "first topic", 20, 2);
      topic.run(RunOptions.catchUp());
      long snapshot = topic.table().currentSnapshot().snapshotId();
      Map<Long, String> rows = topic.rows();
      try (LocalJob job = LocalJob.start(restarting(topic), RunOptions.streaming())) {
        topic.recreate();
        for (int id = 11; id < 14; id++) {
          topic.put(id, "second topic", 10L * id, id);
        }
        TestJob.await(
            "the job stops, or commits",
            () -> !job.isRunning() || topic.table().currentSnapshot().snapshotId() != snapshot);
        assertThat(topic.rows()).isEqualTo(rows);
        assertThatThrownBy(job::await)
            .rootCause()
            .hasMessageContaining("it was deleted and created anew while the job ran");
      }
    }
  }

  /** As the new topic is shorter for a moment, the consumer fails until it has the offset. */
  private static Settings restarting(OrdersTopic topic) {
    return Settings.parse(
        topic
            .yaml()
            .replace(
                "flink: {",
                "flink: {restart-strategy.type: fixed-delay,"
                    + " restart-strategy.fixed-delay.attempts: 1000,"
                    + " restart-strategy.fixed-delay.delay: 100ms, "),
        Map.of());
  }

  /** The same start by a record that knows no topic: the new one's first row is lost for good. */
  private static Map<Long, String> plantedBug(OrdersTopic topic) throws Exception {
    Table table = topic.table();
    Map<String, String> summary = topic.summary();
    summary.keySet().removeIf(key -> !key.startsWith("tidemark.") || key.endsWith("topic-ids"));
    summary.remove("tidemark.last-records");
    summary.put("tidemark.commit-id", "without-ids");
    var append = table.newFastAppend();
    summary.forEach(append::set);
    append.commit();
    UpdateProperties noPointer = table.updateProperties().remove("tidemark.record");
    noPointer.commit();
    topic.run(RunOptions.catchUp());
    return topic.rows();
  }
}
