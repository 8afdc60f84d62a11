package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.job.RunOptions;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import io.tidemark.verify.RewrittenRows;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Others took rows away whose records Kafka has lost, so that nothing that is left tells of them.
 */
@Timeout(200)
class ShortLogTest {
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

  @Test
  void aDeleteByOthersIsNotAcceptedWhereTheLogCannotTellIt() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "deleted", directory)) {
      long own = withoutItsFirstRecord(topic);
      topic.table().newDelete().deleteFromRowFilter(Expressions.equal("id", 1L)).commit();
      assertThat(topic.rows()).containsOnlyKeys(2L, 3L);

      assertRefusedAndRolledBack(topic, own, "Somebody else wrote to table shop.orders: ");
    }
  }

  @Test
  void aCompactionThatLostARowIsNotAcceptedEither() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "compacted", directory)) {
      long own = withoutItsFirstRecord(topic);
      Table table = topic.table();
      List<Record> rows = new ArrayList<>();
      try (CloseableIterable<Record> all =
          IcebergGenerics.read(table).where(Expressions.greaterThan("id", 1L)).build()) {
        all.forEach(rows::add);
      }
      RewrittenRows.replaceAll(table, rows);
      assertThat(topic.rows()).containsOnlyKeys(2L, 3L);

      assertRefusedAndRolledBack(
          topic, own, "Table shop.orders holds 2 live rows at snapshot ", "its record says 3");
    }
  }

  /** Three rows, each in a file of its own; of the first Kafka has no record any more. */
  private static long withoutItsFirstRecord(OrdersTopic topic) throws Exception {
    for (int id = 1; id <= 3; id++) {
      topic.put(id, "a", 10 * id, id);
      topic.run(RunOptions.catchUp());
    }
    topic.forgetBelow(1);
    return topic.table().currentSnapshot().snapshotId();
  }

  private static void assertRefusedAndRolledBack(OrdersTopic topic, long own, String... refusal)
      throws Exception {
    Outcome run = type(topic, "run", "--until", "caught-up");
    assertThat(run.err()).contains(refusal);
    Outcome repair = type(topic, "verify", "--repair");
    assertThat(repair.out())
        .contains(
            "Nothing is repaired: Somebody else wrote",
            "Roll the table back to the snapshot of commit "
                + topic.table().snapshot(own).summary().get("tidemark.commit-id"))
        .doesNotContain("EQUAL")
        .endsWith("Nothing can be repaired.\n");
    assertThat(repair.exit()).isEqualTo(1);

    topic.table().manageSnapshots().rollbackTo(own).commit();
    topic.put(4, "a", 40, 4);
    topic.run(RunOptions.catchUp());
    assertThat(topic.rows()).containsOnlyKeys(1L, 2L, 3L, 4L);
    assertThat(type(topic, "verify").out()).contains("EQUAL");
  }

  private static Outcome type(OrdersTopic topic, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(1, List.of("-c", topic.file().toString()));
    return topic.type(all.toArray(String[]::new));
  }
}
