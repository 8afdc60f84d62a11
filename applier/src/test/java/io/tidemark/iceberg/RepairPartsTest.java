package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.key;
import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.Kind;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.flink.row.BinaryRowEncoder;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a repair does to a table, without the comparison that it follows. */
class RepairPartsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void acceptedRowsOfOthersAreBuiltOnAndNotRefusedAgain(Catalogs kind) throws Exception {
    try (Replica job = new Replica(kind.in(directory), Orders.table())) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      long accepted = foreign(job, put(7, 7, "eu", "foreign"));

      try (TableLedger repair = accepting(job, accepted, List.of())) {
        WrittenFiles removed =
            RowRemoval.write(job.catalog, Orders.TABLE, accepted, Set.of(key(7))).files();
        commit(repair, "r1", "c1", List.of(removed));
      }
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a"));
      assertThat(job.foreign().currentSnapshot().summary())
          .containsEntry(RecordCodec.ACCEPTED_SNAPSHOT, Long.toString(accepted));
      job.commit("c2", 2, put(2, 2, "eu", "b"));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/a", 2L, "eu/b"));
    }
  }

  @Test
  void rowsThatCameSinceAreRefused() throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table())) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      long accepted = foreign(job, put(7, 7, "eu", "compared"));
      foreign(job, put(8, 8, "eu", "not compared"));

      try (TableLedger repair = accepting(job, accepted, List.of())) {
        assertThatThrownBy(() -> commit(repair, "r1", "c1", List.of(WrittenFiles.NONE)))
            .isInstanceOf(ForeignWriteException.class);
      }
    }
  }

  /** The rows of a key lie under two specs, and one file twice in a third place. */
  @Test
  void allRowsOfAKeyGoWhereverTheyLie() throws Exception {
    try (Replica before = new Replica(Catalogs.HADOOP.in(directory), Orders.table("region"))) {
      before.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "eu", "stays"));
      before.foreign().updateSpec().addField(Expressions.bucket("id", 4)).commit();
    }
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table())) {
      WrittenFiles copies = job.write(put(1, 2, "us", "new spec"));
      job.commit("c2", 2, List.of(copies));
      long damaged = foreign(job, put(1, 3, "eu", "foreign"));
      assertThat(job.rows().get(1L)).contains("old", "new spec", "foreign");

      RowRemoval.Removed removed =
          RowRemoval.write(job.catalog, Orders.TABLE, damaged, Set.of(key(1)));
      assertThat(removed.rows()).isEqualTo(3);
      try (TableLedger repair = accepting(job, damaged, List.of())) {
        commit(repair, "r1", "c2", List.of(removed.files()));
      }
      assertThat(job.rows()).isEqualTo(Map.of(2L, "eu/stays"));
    }
  }

  /** Its first rows were replaced since: they must not come back. */
  @Test
  void aDoubledFileIsReferredToOnceWhereItFirstWas() throws Exception {
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), Orders.table())) {
      job.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "eu", "stays"));
      List<DataFile> first = files(job.foreign());
      job.commit("c2", 2, put(1, 2, "eu", "new"));
      Table foreign = job.foreign();
      first.forEach(file -> foreign.newFastAppend().appendFile(file).commit());
      assertThat(job.rows().get(1L)).contains("old", "new");
      long damaged = foreign.currentSnapshot().snapshotId();

      List<String> locations = first.stream().map(DataFile::location).toList();
      try (TableLedger repair = accepting(job, damaged, locations)) {
        commit(repair, "r1", "c2", List.of());
      }
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/new", 2L, "eu/stays"));
      assertThat(files(job.foreign())).hasSize(2);
      assertThat(job.ledger.last().commitId()).isEqualTo("r1");
    }
  }

  /** One file has rows of many partitions of the spec that came after it. */
  @Test
  void placesInPartitionsOfBytesAreNotMixedUp() throws Exception {
    RowShape shape =
        new RowShape(
            List.of(
                new Column("id", ColumnType.Simple.LONG, true),
                new Column("bytes", ColumnType.Simple.BINARY, false)));
    TableDefinition definition =
        new TableDefinition(
            Orders.TABLE, shape, List.of("bucket(1, id)"), Map.of(), "postgres", "[]");
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), definition)) {
      job.commit("c1", 1, bytes(shape, 1), bytes(shape, 2), bytes(shape, 3), bytes(shape, 4));
      Table table = job.foreign();
      table.updateSpec().removeField("id_bucket").addField("bytes").commit();

      WrittenFiles removed =
          RowRemoval.write(
                  job.catalog,
                  Orders.TABLE,
                  table.currentSnapshot().snapshotId(),
                  Set.of(key(1), key(2), key(3), key(4)))
              .files();

      assertThat(
              FileDescriptions.readDeletes(removed.deletes(), table.specs()).stream()
                  .filter(file -> file.specId() == table.spec().specId())
                  .map(file -> file.partition().get(0, ByteBuffer.class).get(0)))
          .containsExactlyInAnyOrder((byte) 1, (byte) 2, (byte) 3, (byte) 4);
    }
  }

  private static Change bytes(RowShape shape, int id) {
    BinaryRowEncoder row = new BinaryRowEncoder(shape);
    row.setLong(0, id);
    row.setBinary(1, new byte[] {(byte) id});
    return new Change(key(id), Kind.UPSERT, Orders.version(id), id, row.finish());
  }

  private static TableLedger accepting(Replica job, long snapshot, List<String> doubled) {
    return new IcebergLedgerFactory(
            job.catalog, Orders.TABLE, job.table.version(), new Acceptance(snapshot, null, doubled))
        .open(Replica.AT_ONCE);
  }

  private static void commit(
      TableLedger ledger, String id, String parent, List<WrittenFiles> files) {
    CommitRecord record = Replica.record(id, parent, 2, files);
    assertThat(ledger.commit(Replica.batches(files), record).commitId()).isEqualTo(id);
  }

  /** Somebody else appends a row. */
  private static long foreign(Replica job, io.tidemark.change.Change change) throws Exception {
    try (Replica other = new Replica(job.catalog, Orders.table())) {
      WrittenFiles files = other.write(change);
      Table foreign = job.foreign();
      FileDescriptions.readData(files.data(), foreign.specs())
          .forEach(file -> foreign.newFastAppend().appendFile(file).commit());
      return foreign.currentSnapshot().snapshotId();
    }
  }

  private static List<DataFile> files(Table table) throws Exception {
    List<DataFile> files = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      tasks.forEach(task -> files.add(task.file()));
    }
    return files;
  }
}
