package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.RecordPointer;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is left of a history of which others expired the most. */
class OwnHistoryTest {
  @TempDir private Path directory;

  private Replica job(Catalogs kind) {
    return new Replica(kind.in(directory), Orders.table());
  }

  /** The compaction that a table is rolled back to stands for a commit that nothing names. */
  @ParameterizedTest
  @EnumSource
  void aRollbackToACompactionWhoseRecordWasExpiredIsSeen(Catalogs kind) throws Exception {
    try (Replica job = job(kind)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      Snapshot compacted = compactedAndExpired(job);
      job.commit("c2", 2, put(1, 2, "eu", "b"), put(2, 2, "eu", "b"));
      Table table = job.foreign();
      long second = table.currentSnapshot().snapshotId();
      table.manageSnapshots().rollbackTo(compacted.snapshotId()).commit();

      String rollback =
          "Somebody else wrote to table shop.orders: a rollback to snapshot "
              + compacted.snapshotId()
              + " (replace), made before snapshot "
              + second
              + " after commit c2"
              + IcebergLedger.MEND;
      refused(job, rollback);
      Compaction.run(table); // hides nothing while what it compacted is there
      refused(job, "made before snapshot " + second);
      table.manageSnapshots().rollbackTo(compacted.snapshotId()).commit();
      Compaction.expire(table); // takes the commit's own snapshot
      refused(job, rollback);

      // Nor is it in the way of a repair, which has compared it with the log.
      try (TableLedger repair =
          new IcebergLedgerFactory(
                  job.catalog,
                  Orders.TABLE,
                  job.table.version(),
                  new Acceptance(compacted.snapshotId(), null, List.of()))
              .open(Replica.AT_ONCE)) {
        List<WrittenFiles> files = List.of(job.write(put(1, 3, "eu", "c"), put(2, 3, "eu", "c")));
        repair.commit(Replica.batches(files), Replica.record("r1", "c2", 3, files));
      }
      job.commit("c3", 4, put(3, 4, "eu", "d"));
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/c", 2L, "eu/c", 3L, "eu/d"));
    }
  }

  private static void refused(Replica job, String message) throws Exception {
    assertThatThrownBy(job.ledger::last)
        .isInstanceOf(ForeignWriteException.class)
        .hasMessageContaining(message);
    List<WrittenFiles> files = List.of(job.write(put(5, 9, "eu", "e")));
    assertThatThrownBy(
            () -> job.ledger.commit(Replica.batches(files), Replica.record("c3", "c2", 3, files)))
        .isInstanceOf(ForeignWriteException.class);
  }

  @Test
  void aTagOnAnOldCommitIsNoRollback() throws Exception {
    try (Replica job = job(Catalogs.JDBC)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      Table table = job.foreign();
      long first = table.currentSnapshot().snapshotId();
      table.manageSnapshots().createTag("friday", first).commit();
      Compaction.run(table);
      Compaction.run(table);
      Compaction.expire(table);

      assertThat(table.snapshot(first)).isNotNull();
      assertThat(job.commit("c2", 2, put(2, 2, "eu", "b")).parent()).isEqualTo("c1");
    }
  }

  /** A table whose last commit an earlier build made. */
  @Test
  void aPointerThatHasNoSequenceNumberIsBelieved() throws Exception {
    try (Replica job = job(Catalogs.JDBC)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      Table table = job.foreign();
      RecordPointer pointer = RecordPointer.parse(table.properties().get(RecordPointer.PROPERTY));
      table
          .updateProperties()
          .set(
              RecordPointer.PROPERTY,
              new RecordPointer(pointer.snapshotId(), 0, pointer.summary()).toJson())
          .commit();
      compactedAndExpired(job);

      assertThat(job.commit("c2", 2, put(2, 2, "eu", "b")).parent()).isEqualTo("c1");
    }
  }

  /** Whether it was a compaction or a delete cannot be told: so it is said. */
  @Test
  void snapshotsThatNobodyCanSeeAnyMoreAreNamed() throws Exception {
    try (Replica job = job(Catalogs.JDBC)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"), put(2, 1, "us", "a"));
      Table table = job.foreign();
      long first = table.currentSnapshot().snapshotId();
      compactedAndExpired(job);
      assertThat(unseen(table)).as("the record's snapshot is right below").isNull();

      table.newDelete().deleteFromRowFilter(Expressions.alwaysTrue()).commit();
      assertThat(OwnHistory.of(table).foreign()).isNotNull();
      table.rewriteManifests().clusterBy(file -> "one").commit();
      Compaction.expire(table);
      assertThat(OwnHistory.of(table).foreign()).isNull();
      assertThat(unseen(table))
          .isEqualTo(
              "those between snapshot " + first + " and " + table.currentSnapshot().snapshotId());

      job.commit("c2", 2, put(2, 2, "eu", "b"));
      table.refresh();
      assertThat(unseen(table)).isNull();
    }
  }

  private static String unseen(Table table) {
    return OwnHistory.of(table).unseen();
  }

  private static Snapshot compactedAndExpired(Replica job) throws Exception {
    Table table = job.foreign();
    Compaction.run(table);
    Compaction.expire(table);
    return table.currentSnapshot();
  }
}
