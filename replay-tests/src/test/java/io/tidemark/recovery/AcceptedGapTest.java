package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.StartFrom;
import io.tidemark.failure.RefusedException;
import io.tidemark.job.RunOptions;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceptedGapTest {
  private static final String ONE_GAP = "{\"orders\":{\"0\":[{\"from\":1,\"to\":2}]}}";

  @TempDir private Path directory;

  @Test
  void whatKafkaLostIsRefusedThenAcceptedThenRememberedForGood() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "read", 10, 1);
      topic.run(RunOptions.catchUp());
      topic.put(2, "lost", 20, 2);
      topic.put(3, "lost", 30, 3);
      topic.forgetBelow(3);

      assertThatThrownBy(() -> topic.run(RunOptions.catchUp()))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(
              "orders-0: offset 1 is needed, Kafka begins at 3: offsets 1 to 2 are gone")
          .hasMessageEndingWith("add --accept-gap");
      assertThat(topic.summary()).doesNotContainKey("tidemark.gaps");

      // Nothing is there to be read: the gap is recorded all the same.
      topic.run(RunOptions.catchUp().acceptingGaps());
      assertThat(topic.summary())
          .containsEntry("tidemark.gaps", ONE_GAP)
          .containsEntry("tidemark.offsets", "{\"orders\":{\"0\":3}}");

      topic.put(4, "later", 40, 4);
      topic.run(RunOptions.catchUp());
      assertThat(topic.summary())
          .containsEntry("tidemark.gaps", ONE_GAP)
          .containsEntry("tidemark.offsets", "{\"orders\":{\"0\":4}}");
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "read", 4L, "later"));

      topic.put(5, "skipped", 50, 5);
      topic.put(6, "wanted", 60, 6);
      RunOptions above = RunOptions.catchUp().from(StartFrom.parse("orders:0=5"));
      assertThatThrownBy(() -> topic.run(above))
          .hasMessageContaining("offsets 4 to 4 would be left out");
      topic.run(above.acceptingGaps());
      assertThat(topic.summary())
          .containsEntry("tidemark.gaps", ONE_GAP.replace("}]", "},{\"from\":4,\"to\":4}]"));
      assertThat(topic.rows()).containsOnlyKeys(1L, 4L, 6L);
    }
  }
}
