package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.TableMismatchException;
import io.tidemark.job.RunOptions;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OriginTest {
  @TempDir private Path directory;

  @Test
  void aTableIsNotReadFromBelowWhereItWasBegun() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "below", 10, 1);
      topic.put(2, "begun", 20, 2);
      RunOptions second = RunOptions.catchUp().from(StartFrom.parse("orders:0=1"));
      topic.run(second);
      assertThat(topic.summary()).containsEntry("tidemark.origin", "{\"orders\":{\"0\":1}}");
      topic.put(3, "later", 30, 3);

      RunOptions below = RunOptions.catchUp().from(StartFrom.parse("orders:0=0"));
      assertThatThrownBy(() -> topic.run(below))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("orders-0: offset 0 is wanted, the table was begun at 1");
      // Nothing of it is kept: the next run is as before.
      assertThatThrownBy(() -> OrdersTopic.run(withAnotherColumn(topic), RunOptions.catchUp()))
          .isInstanceOf(TableMismatchException.class)
          .hasMessageContaining("column more of routes.columns is missing");
      // The earliest of the table's own log.
      topic.run(RunOptions.catchUp().from(StartFrom.parse("earliest")));

      assertThat(topic.rows()).isEqualTo(Map.of(2L, "begun", 3L, "later"));
      assertThat(topic.summary()).containsEntry("tidemark.origin", "{\"orders\":{\"0\":1}}");
      assertThat(topic.type("run", "-c", topic.file() + "", "--from", "nosuch:0=1").exit())
          .isEqualTo(2);
    }
  }

  private static Settings withAnotherColumn(OrdersTopic topic) {
    return Settings.parse(
        topic.yaml().replace("note: string}", "note: string, more: int}"), Map.of());
  }
}
