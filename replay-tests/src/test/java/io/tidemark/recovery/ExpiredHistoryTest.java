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
import java.util.Map;
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

/** Others compact and expire, and what they did besides has to be noticed, or said to be unseen. */
@Timeout(200)
class ExpiredHistoryTest {
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

  /** The table is rolled back to a compaction, and nothing says any more of which commit it was. */
  @Test
  void aRollbackBelowARecordIsRefusedAndRepaired() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "rolled", directory)) {
      topic.put(1, "deleted", 10, 1);
      topic.put(2, "old", 20, 2);
      topic.run(RunOptions.catchUp());
      Table table = topic.table();
      compactAndExpire(table);
      long compacted = table.currentSnapshot().snapshotId();
      topic.delete(1, 30, 3);
      topic.put(2, "new", 40, 4);
      topic.put(3, "new", 50, 5);
      topic.run(RunOptions.catchUp());
      table.refresh();
      long newest = table.currentSnapshot().snapshotId();
      table.manageSnapshots().rollbackTo(compacted).commit();

      String rollback = "a rollback to snapshot " + compacted + " (replace), made before ";
      Outcome run = type(topic, "run", "--until", "caught-up");
      assertThat(run.exit()).isEqualTo(3);
      assertThat(run.err()).contains(rollback + "snapshot " + newest + " after commit ");
      assertThat(type(topic, "check").out()).contains(rollback);
      assertThat(type(topic, "status").out()).contains("somebody else made " + rollback);

      Outcome repair = type(topic, "verify", "--repair");
      assertThat(repair.out()).contains("writes by others: 1 ", rollback, "EQUAL");
      assertThat(topic.rows()).isEqualTo(Map.of(2L, "new", 3L, "new"));
      topic.put(4, "d", 60, 6);
      topic.run(RunOptions.catchUp());
      assertThat(topic.rows()).containsOnlyKeys(2L, 3L, 4L);
      assertThat(type(topic, "verify").out()).contains("EQUAL");
    }
  }

  /** A rollback, a compaction and an expiry: nothing but the rows themselves tells of it. */
  @Test
  void olderRowsThatNoSnapshotTellsOfAreRefusedAndRepaired() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "older", directory)) {
      topic.put(1, "old", 10, 1);
      topic.put(2, "same", 20, 2);
      topic.run(RunOptions.catchUp());
      Table table = topic.table();
      long before = table.currentSnapshot().snapshotId();
      topic.put(1, "new", 30, 3);
      topic.run(RunOptions.catchUp());
      table.refresh();
      table.manageSnapshots().rollbackTo(before).commit();
      compactAndExpire(table);
      table.rewriteManifests().clusterBy(file -> "one").commit();
      table.refresh();
      expire(table);
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "old", 2L, "same"));
      assertThat(type(topic, "status").out()).contains("unseen ");

      topic.put(3, "later", 40, 4);
      for (List<String> words :
          List.of(List.of("run", "--until", "caught-up"), List.of("run", "--dry-run"))) {
        Outcome run = type(topic, words.toArray(String[]::new));
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err())
            .contains(
                "Table shop.orders holds 2 live rows at snapshot ",
                ", as many as its record says, but not of the versions that it says: somebody else"
                    + " wrote them or rolled the table back, probably in snapshots that were expired since",
                "verify -c ",
                "--repair mends it");
      }
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "old", 2L, "same"));
      assertThat(type(topic, "verify").out())
          .contains("older rows: 1 ", "other live rows than the record counts: 1 ");
      assertThat(type(topic, "verify", "--repair").out()).contains("REPAIRED", "EQUAL");
      topic.run(RunOptions.catchUp());
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "new", 2L, "same", 3L, "later"));
      topic.put(4, "d", 60, 6);
      topic.run(RunOptions.catchUp()); // after a repair the rows are counted again
      assertThat(topic.table().currentSnapshot().summary()).containsEntry("tidemark.rows", "4");
      assertThat(type(topic, "verify").out()).contains("EQUAL");
    }
  }

  /** Between the record and the oldest snapshot that is left there was one that deleted a row. */
  @Test
  void whatNobodyCanSeeAnyMoreIsSaidAndRefused() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "hidden", directory)) {
      topic.put(1, "a", 10, 1);
      topic.put(2, "a", 20, 2);
      topic.run(RunOptions.catchUp());
      Table table = topic.table();
      long own = table.currentSnapshot().snapshotId();
      compactAndExpire(table);
      assertThat(type(topic, "check").out()).doesNotContain("were expired");
      table.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
      table.refresh();
      table.rewriteManifests().clusterBy(file -> "one").commit();
      table.refresh();
      expire(table);

      String unseen =
          "those between snapshot " + own + " and " + table.currentSnapshot().snapshotId();
      assertThat(type(topic, "status").out()).contains("unseen      snapshots, " + unseen);
      Outcome check = type(topic, "check");
      assertThat(check.out()).contains("snapshots of shop.orders, " + unseen + ", were expired");
      assertThat(check.exit()).isZero();

      Outcome run = type(topic, "run", "--until", "caught-up");
      assertThat(run.exit()).isEqualTo(3);
      assertThat(run.err())
          .contains(
              "Table shop.orders holds 0 live rows at snapshot ", ", and its record says 2: ");
      assertThat(type(topic, "verify").out()).contains("missing rows: 2 ");
      assertThat(type(topic, "verify", "--repair").out()).contains("REPAIRED", "EQUAL");
      assertThat(topic.rows()).containsOnlyKeys(1L, 2L);
      assertThat(type(topic, "status").out()).doesNotContain("unseen");
    }
  }

  private static Outcome type(OrdersTopic topic, String... words) throws IOException {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(1, List.of("-c", topic.file().toString()));
    return topic.type(all.toArray(String[]::new));
  }

  private static void compactAndExpire(Table table) throws IOException {
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<Record> all = IcebergGenerics.read(table).build()) {
      all.forEach(rows::add);
    }
    RewrittenRows.replaceAll(table, rows);
    table.refresh();
    expire(table);
  }

  private static void expire(Table table) {
    table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    table.refresh();
  }
}
