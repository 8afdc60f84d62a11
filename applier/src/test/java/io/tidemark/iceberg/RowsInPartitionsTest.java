package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.delete;
import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.commit.CommitSequence;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.WrittenFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowsInPartitionsTest {
  @TempDir private Path directory;

  private Replica job(Catalogs kind, String... partition) {
    return new Replica(kind.in(directory), Orders.table(partition));
  }

  private static List<String> deletes(WrittenFiles files, Table table) {
    return FileDescriptions.readDeletes(files.deletes(), table.specs()).stream()
        .map(RowsInPartitionsTest::place)
        .toList();
  }

  private static String place(DeleteFile file) {
    return file.specId() + ":" + file.partition() + ":" + file.recordCount();
  }

  @ParameterizedTest
  @EnumSource
  void rowMovesBetweenPartitions(Catalogs kind) throws Exception {
    try (Replica job = job(kind, "region", "day(created_at)")) {
      job.commit("c1", 1, put(1, 1, "eu", "a"), put(2, 1, "", "null region"), put(3, 1, "eu", "c"));
      WrittenFiles moved =
          job.write(put(1, 2, "us", "moved"), put(2, 2, "eu", "moved"), delete(3, 2));
      job.commit("c2", 2, List.of(moved));

      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/moved", 2L, "eu/moved"));
      assertThat(deletes(moved, job.foreign()))
          .containsExactlyInAnyOrder(
              "0:PartitionData{region=eu, created_at_day=1}:1",
              "0:PartitionData{region=null, created_at_day=2}:1",
              "0:PartitionData{region=eu, created_at_day=3}:1");
    }
  }

  @Test
  void deleteIsElidedOnlyWhereNoRowIsReplaced() throws Exception {
    try (Replica job = job(Catalogs.HADOOP, "bucket(2, id)")) {
      WrittenFiles first = job.write(put(1, 1, "eu", "a"), delete(2, 1), put(3, 1, "eu", "c"));
      assertThat(first.deletes()).isEmpty();
      assertThat(first.stats().equalityDeletes()).isZero();
      assertThat(first.stats().upserts()).isEqualTo(2);
      assertThat(first.stats().deletes()).isEqualTo(1);
      job.commit("c1", 1, List.of(first));

      WrittenFiles second =
          job.write(
              put(1, 2, "eu", "b"), put(2, 2, "eu", "again"), delete(3, 2), put(4, 2, "", ""));
      assertThat(second.stats().equalityDeletes()).isEqualTo(2);
      assertThat(second.stats().maxVersion()).isEqualTo(Orders.version(2).toText());
      job.commit("c2", 2, List.of(second));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/b", 2L, "eu/again", 4L, "null/"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void afterASpecChangeRowsAreDeletedUnderBothSpecs(Catalogs kind) throws Exception {
    try (Replica before = job(kind, "region")) {
      before.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "us", "old"), put(3, 1, "us", "o"));
      Table foreign = before.foreign();
      foreign.updateSpec().removeField("region").addField(Expressions.bucket("id", 4)).commit();
    }
    try (Replica job = job(kind)) {
      job.seed();
      Compaction racing = Compaction.start(job.foreign());
      WrittenFiles files = job.write(put(1, 2, "us", "new"), delete(2, 2));
      assertThat(deletes(files, job.foreign()))
          .containsExactlyInAnyOrder(
              "0:PartitionData{region=eu}:1",
              "0:PartitionData{region=us}:1",
              "1:PartitionData{id_bucket_4=0}:2");
      job.commit("c2", 2, List.of(files));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/new", 3L, "us/o"));

      racing.commit();

      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/new", 3L, "us/o"));
      job.commit("c3", 3, put(3, 3, "eu", "newest"), delete(1, 3));
      assertThat(job.rows()).isEqualTo(Map.of(3L, "eu/newest"));
    }
  }

  @Test
  void plantedBugDeletesUnderTheOldSpecAloneLoseTheRaceWithCompaction() throws Exception {
    try (Replica before = job(Catalogs.HADOOP, "region")) {
      before.commit("c1", 1, put(1, 1, "eu", "old"));
      before
          .foreign()
          .updateSpec()
          .removeField("region")
          .addField(Expressions.bucket("id", 4))
          .commit();
    }
    try (Replica job = job(Catalogs.HADOOP)) {
      job.seed();
      Compaction racing = Compaction.start(job.foreign());
      WrittenFiles files = job.write(put(1, 2, "us", "new"));
      WrittenFiles oldSpecOnly =
          new WrittenFiles(
              files.data(),
              files.deletes().stream().filter(file -> file.contains("\"spec-id\":0")).toList(),
              files.tombstones(),
              files.stats());
      job.commit("c2", 2, List.of(oldSpecOnly));
      racing.commit();

      assertThat(job.rows().get(1L)).contains(" AND ");
    }
  }

  @Test
  void oneDeleteUnderASpecWithoutPartitionsReachesAllRows() throws Exception {
    try (Replica before = job(Catalogs.HADOOP)) {
      before.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "us", "old"));
      before.foreign().updateSpec().addField("region").commit();
    }
    try (Replica job = job(Catalogs.HADOOP)) {
      job.seed();
      Compaction racing = Compaction.start(job.foreign());
      WrittenFiles files = job.write(put(1, 2, "us", "new"), put(2, 2, "eu", "new"));
      assertThat(deletes(files, job.foreign())).containsExactly("0:PartitionData{}:2");
      job.commit("c2", 2, List.of(files));
      racing.commit();
      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/new", 2L, "eu/new"));
    }
  }

  @Test
  void marksOfAnOlderPartitioningAreRefused() throws Exception {
    try (Replica before = job(Catalogs.HADOOP, "region")) {
      before.commit("c1", 1, put(1, 1, "eu", "old"));
      before.foreign().updateSpec().addField(Expressions.bucket("id", 4)).commit();
      try (Replica job = job(Catalogs.HADOOP)) {
        job.marks.putAll(before.marks);
        assertThatThrownBy(() -> job.write(put(1, 2, "us", "new")))
            .isInstanceOf(TableChangedException.class)
            .hasMessageContaining("id, which the marks do not know");
      }
    }
  }

  /** A compaction has moved rows there, where the deletes that were written before do not reach. */
  @ParameterizedTest
  @EnumSource
  void aRestoredCommitThatDoesNotKnowAPartitionSpecIsRefused(Catalogs kind) throws Exception {
    byte[] state;
    try (Replica before = job(kind, "region")) {
      before.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "us", "old"));
      state = stateWithCommit(before, put(1, 2, "eu", "new"));
      before.foreign().updateSpec().removeField("region").addField("note").commit();
      Compaction.run(before.foreign());
    }
    refusedFrom(
        state, kind, "deletes rows under the partition specs [0]", "the table has [0, 1] now");
  }

  /** Nothing lies under it any more, and an expiry of others takes such specs away. */
  @ParameterizedTest
  @EnumSource
  void aRestoredCommitUnderAPartitionSpecThatIsGoneIsRefused(Catalogs kind) throws Exception {
    byte[] state;
    try (Replica before = job(kind, "region")) {
      before.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "us", "old"));
      state = stateWithCommit(before, put(3, 2, "eu", "new"));
      before.foreign().updateSpec().removeField("region").addField("note").commit();
      Compaction.run(before.foreign());
      Compaction.run(before.foreign());
      before
          .foreign()
          .expireSnapshots()
          .expireOlderThan(Long.MAX_VALUE)
          .cleanExpiredMetadata(true)
          .commit();
      assertThat(before.foreign().specs()).containsOnlyKeys(1);
    }
    refusedFrom(state, kind, "has files under the partition specs [0]", "the table has [1] now");
  }

  private static byte[] stateWithCommit(Replica job, Change change) throws Exception {
    CommitSequence commits = new CommitSequence(job.ledger, "job-1", new Retention(30), "c1");
    List<WrittenFiles> files = List.of(job.write(change));
    commits.close(2, "c2", Replica.batches(files), Replica.record("c2", "c1", 2, files).progress());
    return commits.save();
  }

  private void refusedFrom(byte[] state, Catalogs kind, String written, String now)
      throws Exception {
    try (Replica job = job(kind)) {
      CommitSequence restored =
          CommitSequence.restore(job.ledger, "job-2", new Retention(30), state);
      assertThatThrownBy(restored::settle)
          .isInstanceOf(TableChangedException.class)
          .hasMessageContaining(written)
          .hasMessageContaining(now)
          .hasMessageContaining("Start without state");
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/old", 2L, "us/old"));
    }
  }

  @Test
  void filesFollowThePropertiesOfTheTable() throws Exception {
    TableDefinition definition =
        new TableDefinition(
            Orders.TABLE,
            Orders.SHAPE,
            List.of(),
            Map.of(
                "write.metadata.metrics.column.note", "none",
                "write.metadata.metrics.column.region", "full",
                "write.target-file-size-bytes", "1",
                "write.parquet.row-group-check-min-record-count", "1",
                "write.parquet.row-group-check-max-record-count", "1"),
            "postgres",
            "[]");
    try (Replica job = new Replica(Catalogs.HADOOP.in(directory), definition)) {
      Change[] many = new Change[3000];
      for (int i = 0; i < many.length; i++) {
        many[i] = put(i, 1, "eu", "a");
      }
      WrittenFiles files = job.write(many);
      assertThat(files.data()).hasSizeGreaterThan(1);
      var file = FileDescriptions.readData(files.data(), job.foreign().specs()).get(0);
      assertThat(file.lowerBounds()).containsKey(2).doesNotContainKey(4);
    }
  }
}
