package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where nothing is left that has a whole record, a table goes on by what the runbook says. */
@Timeout(180)
class DamagedRecordTest {
  private static final String RECORD = "tidemark.record";

  @TempDir private Path directory;

  @Test
  void aDamagedRecordIsPutBackOrTheTableIsAdoptedAsItIs() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.start(directory.resolve("kafka"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "a", 10, 1);
      topic.put(2, "deleted", 20, 2);
      topic.delete(2, 30, 3);
      assertThat(run(topic).exit()).isZero();

      damage(topic.table());
      assertIsRefused(topic);
      String whole = ofOlderMetadata(topic.table());
      topic.table().updateProperties().set(RECORD, whole).commit();
      topic.put(3, "c", 40, 4);
      assertThat(run(topic).exit()).isZero();
      assertIsEqual(topic, Map.of(1L, "a", 3L, "c"));

      damage(topic.table());
      assertIsRefused(topic);
      topic.table().updateProperties().remove(RECORD).commit();
      topic.put(2, "late", 25, 2);
      topic.put(4, "d", 50, 5);
      Path adopting =
          Files.writeString(directory.resolve("adopt.yaml"), topic.yaml() + "    adopt: true\n");
      Outcome adopted = topic.type("run", "-c", adopting.toString(), "--until", "caught-up");
      assertThat(adopted.err()).isEmpty();
      assertIsEqual(topic, Map.of(1L, "a", 3L, "c", 4L, "d"));
      assertThat(run(topic).exit()).isZero();
    }
  }

  private static Outcome run(OrdersTopic topic) throws Exception {
    return topic.type("run", "-c", topic.file().toString(), "--until", "caught-up");
  }

  private static void assertIsRefused(OrdersTopic topic) throws Exception {
    Outcome refused = run(topic);
    assertThat(refused.err())
        .startsWith("The commit record lacks tidemark.offsets. The table's record was edited");
    assertThat(refused.exit()).isEqualTo(3);
  }

  private static void assertIsEqual(OrdersTopic topic, Map<Long, String> rows) throws Exception {
    Outcome verified = topic.type("verify", "-c", topic.file().toString());
    assertThat(verified.out()).contains("EQUAL: every key").doesNotContain("DIFFERENT");
    assertThat(topic.rows()).isEqualTo(rows);
  }

  /**
   * Others compact and expire, so that the property alone has the record, and somebody edits it.
   */
  private static void damage(Table table) throws Exception {
    DataFile before;
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      before = tasks.iterator().next().file();
    }
    String copy = before.location().replace(".parquet", "-copy.parquet");
    Files.copy(path(before.location()), path(copy));
    DataFile after = DataFiles.builder(table.spec()).copy(before).withPath(copy).build();
    table
        .newRewrite()
        .validateFromSnapshot(table.currentSnapshot().snapshotId())
        .deleteFile(before)
        .addFile(after)
        .commit();
    table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
    String record = table.properties().get(RECORD);
    table
        .updateProperties()
        .set(RECORD, record.replace("tidemark.offsets", "tidemark.offset"))
        .commit();
  }

  private static Path path(String location) {
    return Path.of(location.replaceFirst("^file:/*", "/"));
  }

  /** What the property was in the metadata file before the current one. */
  private static String ofOlderMetadata(Table table) {
    TableMetadata now = ((HasTableOperations) table).operations().current();
    String before = now.previousFiles().get(now.previousFiles().size() - 1).file();
    return TableMetadataParser.read(table.io(), before).property(RECORD, "none");
  }
}
