package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.ForeignWriteException;
import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.failure.RefusedException;
import io.tidemark.job.DryRunReport;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import io.tidemark.oracle.RememberedTable;
import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A table that others made and filled is taken over, and its rows lose against every change. */
@Timeout(300)
class AdoptedTableTest {
  private static final String ADOPT = "    adopt: true\n";
  private static final String BY_OFFSET = "    version: kafka-offset\n";
  private static final RunOptions AGAIN = RunOptions.catchUp().from(StartFrom.parse("earliest"));

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
  void rowsOfOthersLoseAgainstEveryChangeAndGetTheColumnsThatTidemarkAdds() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "adopted", directory)) {
      Table table = create(topic);
      append(table, Map.of(1L, "theirs", 2L, "theirs", 3L, "same", 5L, "theirs"));
      topic.put(1, "ours", 10, 1);
      topic.delete(2, 20, 2);
      topic.put(3, "same", 30, 3);
      topic.put(4, "ours", 40, 4);
      long theirs = table.currentSnapshot().snapshotId();
      assertThatThrownBy(() -> topic.run(RunOptions.catchUp()))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("set adopt: true in the route");

      DryRunReport dry = LocalJob.dryRun(topic.settings(ADOPT), RunOptions.catchUp());
      assertThat(dry.rows()).isEqualTo(new DryRunReport.Rows(1, 2, 1));
      table.refresh();
      assertThat(table.currentSnapshot().snapshotId()).isEqualTo(theirs);
      assertThat(table.schema().columns()).hasSize(2);

      run(topic, ADOPT);
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "ours", 3L, "same", 4L, "ours", 5L, "theirs"));
      assertThat(versions(topic)).containsOnlyKeys(1L, 3L, 4L);
      assertThat(topic.table().properties())
          .containsEntry("tidemark.adopted", Long.toString(theirs));

      // The key may stay, or go; a start without state knows the rows without version again.
      RememberedTable before = topic.invariants().remember();
      OrdersTopic.run(topic.settings(ADOPT), AGAIN);
      OrdersTopic.run(topic.settings(""), AGAIN);
      before.orThrow();
      topic.put(5, "ours", 50, 5);
      OrdersTopic.run(topic.settings(""), RunOptions.catchUp());
      assertThat(topic.rows()).containsEntry(5L, "ours").hasSize(4);

      append(topic.table(), Map.of(9L, "later"));
      assertThatThrownBy(() -> run(topic, ADOPT)).isInstanceOf(ForeignWriteException.class);
    }
  }

  @Test
  void verifyJudgesWhatTheLogHas() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "verified", directory)) {
      append(create(topic), Map.of(1L, "theirs", 2L, "theirs", 3L, "theirs"));
      topic.put(1, "ours", 10, 1);
      topic.delete(2, 20, 2);
      Path file = Files.writeString(directory.resolve("adopt.yaml"), topic.yaml() + ADOPT);
      Outcome checked = topic.type("check", "-c", file + "");
      assertThat(checked.out()).contains("and no record: the run adopts it");
      assertThat(checked.exit()).isZero();
      assertThat(topic.type("run", "-c", file + "", "--until", "caught-up").exit()).isZero();

      Outcome verified = topic.type("verify", "-c", file + "");
      assertThat(verified.out())
          .contains("lost        the table had rows before Tidemark kept it")
          .contains("not judged  1 keys")
          .contains("EQUAL");
      assertThat(verified.exit()).isZero();
    }
  }

  /** The first record's version is the lowest of all: it must win all the same. */
  @Test
  void anOffsetAloneIsAboveARowWithoutVersion() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "offsets", directory)) {
      append(create(topic), Map.of(1L, "theirs"));
      topic.put(1, "ours", 10, 1);

      run(topic, ADOPT + BY_OFFSET);

      assertThat(topic.rows()).isEqualTo(Map.of(1L, "ours"));
      assertThat(versions(topic)).containsOnlyKeys(1L);
    }
  }

  @Test
  void whatCannotBeAdoptedIsLeftAsItIs() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "twice", directory)) {
      Table table = create(topic);
      append(table, Map.of(1L, "theirs"));
      append(table, Map.of(1L, "theirs"));
      topic.put(1, "ours", 10, 1);

      assertThatThrownBy(() -> run(topic, ADOPT))
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining(
              "Table shop.orders cannot be adopted: Table shop.orders holds more than one live row");
      table.refresh();
      assertThat(table.schema().columns()).hasSize(2);
      assertThat(table.currentSnapshot().summary()).doesNotContainKey("tidemark.commit-id");
    }
  }

  /** As Spark makes them: it cannot make a column one that has a value in each row. */
  @Test
  void aTableWithoutIdentifierFieldsGetsThemOnceItsRowsAllowIt() throws Exception {
    try (OrdersTopic topic = new OrdersTopic(kafka, "unidentified", directory)) {
      Schema schema =
          new Schema(
              Types.NestedField.optional(1, "id", Types.LongType.get()),
              Types.NestedField.optional(2, "note", Types.StringType.get()));
      Table table = create(topic, schema);
      append(table, Map.of(1L, "theirs", 2L, "theirs"));
      long once = table.currentSnapshot().snapshotId();
      append(table, Map.of(2L, "twice"));
      topic.put(1, "ours", 10, 1);
      Path file = Files.writeString(directory.resolve("adopt.yaml"), topic.yaml() + ADOPT);
      assertThat(topic.type("check", "-c", file + "").out())
          .contains("has no identifier fields: the run sets them");

      Outcome twice = topic.type("run", "-c", file + "", "--until", "caught-up");
      assertThat(twice.err())
          .contains("cannot be adopted: Table shop.orders holds more than one live row for 1 of");
      table.manageSnapshots().rollbackTo(once).commit();
      Map<Long, String> withNull = new java.util.HashMap<>();
      withNull.put(null, "theirs");
      append(table, withNull);
      Outcome lacking = topic.type("run", "-c", file + "", "--until", "caught-up");
      assertThat(lacking.err()).contains("cannot be adopted: A row has null in the key column id");
      assertThat(topic.table().schema().asStruct()).isEqualTo(schema.asStruct());

      table.manageSnapshots().rollbackTo(once).commit();
      assertThat(topic.type("run", "-c", file + "", "--until", "caught-up").exit()).isZero();
      assertThat(topic.table().schema().identifierFieldNames()).containsExactly("id");
      assertThat(topic.rows()).isEqualTo(Map.of(1L, "ours", 2L, "theirs"));
    }
  }

  private static void run(OrdersTopic topic, String more) throws Exception {
    Settings settings = topic.settings(more);
    OrdersTopic.run(settings, RunOptions.catchUp());
  }

  private static Table create(OrdersTopic topic) {
    Schema schema =
        new Schema(
            List.of(
                Types.NestedField.required(1, "id", Types.LongType.get()),
                Types.NestedField.optional(2, "note", Types.StringType.get())),
            Set.of(1));
    return create(topic, schema);
  }

  private static Table create(OrdersTopic topic, Schema schema) {
    return topic
        .catalog()
        .createTable(
            TableIdentifier.parse(OrdersTopic.TABLE),
            schema,
            PartitionSpec.builderFor(schema).identity("note").build(),
            Map.of("format-version", "2"));
  }

  private static void append(Table table, Map<Long, String> rows) throws IOException {
    var append = table.newAppend();
    for (Map.Entry<Long, String> row : rows.entrySet()) {
      Record record = GenericRecord.create(table.schema());
      record.setField("id", row.getKey());
      record.setField("note", row.getValue());
      PartitionKey partition = new PartitionKey(table.spec(), table.schema());
      partition.partition(record);
      DataWriter<Record> writer =
          Parquet.writeData(
                  table
                      .io()
                      .newOutputFile(
                          table.location() + "/data/" + row.getKey() + "-" + System.nanoTime()))
              .forTable(table)
              .withPartition(partition)
              .createWriterFunc(GenericParquetWriter::create)
              .build();
      try (writer) {
        writer.write(record);
      }
      DataFile file = writer.toDataFile();
      append.appendFile(file);
    }
    append.commit();
  }

  private static Map<Long, String> versions(OrdersTopic topic) throws IOException {
    Map<Long, String> versions = new TreeMap<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(topic.table()).build()) {
      for (Record row : rows) {
        Object version = row.getField("_commit_version");
        if (version != null) {
          versions.put((Long) row.getField("id"), version.toString());
        }
      }
    }
    return versions;
  }
}
