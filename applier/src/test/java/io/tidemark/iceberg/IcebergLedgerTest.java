package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.delete;
import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class IcebergLedgerTest {
  @TempDir private Path directory;

  private Replica job(Catalogs kind) {
    return new Replica(kind.in(directory), Orders.table());
  }

  private static List<Snapshot> ancestry(Table table) {
    List<Snapshot> snapshots = new ArrayList<>();
    SnapshotUtil.currentAncestors(table).forEach(snapshots::add);
    return snapshots;
  }

  private static @Nullable String last(Replica job) {
    CommitRecord record = job.ledger.last();
    return record == null ? null : record.commitId();
  }

  @ParameterizedTest
  @EnumSource
  void batchesOfOneCommitApplyInOrderAndBecomeVisibleTogether(Catalogs kind) throws Exception {
    try (Replica job = job(kind)) {
      job.commit("c1", 1, put(1, 1, "eu", "old"), put(2, 1, "eu", "stays"));
      List<WrittenFiles> batches =
          List.of(
              job.write(put(1, 2, "eu", "first batch"), put(3, 2, "us", "first batch")),
              WrittenFiles.NONE,
              job.write(put(1, 3, "us", "second batch"), delete(3, 3)));

      CommitRecord made = job.commit("c2", 2, batches);

      assertThat(job.rows()).isEqualTo(Map.of(1L, "us/second batch", 2L, "eu/stays"));
      assertThat(job.ledger.last()).isEqualTo(made);
      List<Snapshot> snapshots = ancestry(job.foreign());
      assertThat(snapshots).hasSize(3);
      assertThat(snapshots.get(0).summary()).doesNotContainKey(RecordCodec.PARTIAL);
      assertThat(snapshots.get(1).summary())
          .containsEntry(RecordCodec.COMMIT_ID, "c2")
          .containsEntry(RecordCodec.PARTIAL, "true");
      assertThat(snapshots.get(0).sequenceNumber())
          .isEqualTo(snapshots.get(1).sequenceNumber() + 1);
    }
  }

  @Test
  void plantedBugTwoBatchesInOneRowDeltaLeaveTwoRows() throws Exception {
    CatalogSettings catalog = Catalogs.HADOOP.in(directory);
    try (Replica job = new Replica(catalog, Orders.table());
        IcebergLedger merging = new MergingLedger(catalog, job.table.version())) {
      List<WrittenFiles> batches =
          List.of(job.write(put(1, 2, "eu", "first")), job.write(put(1, 3, "us", "second")));
      merging.commit(Replica.batches(batches), Replica.record("c1", null, 1, batches));

      assertThat(job.rows().get(1L)).contains("eu/first").contains("us/second");
    }
  }

  @ParameterizedTest
  @EnumSource
  void commitWithoutFilesIsAnAppendThatCarriesTheRecord(Catalogs kind) throws Exception {
    try (Replica job = job(kind)) {
      job.commit("c1", 5, List.of());
      CommitRecord second = job.commit("c2", 9, List.of(WrittenFiles.NONE));

      assertThat(job.foreign().currentSnapshot().operation()).isEqualTo(DataOperations.APPEND);
      assertThat(job.ledger.last()).isEqualTo(second);
      assertThat(second.parent()).isEqualTo("c1");
      assertThat(second.progress().partitions().get(Replica.SOURCE).nextOffset()).isEqualTo(9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofTwoWritersOnOneParentOneGetsTheOthersRecord(Catalogs kind) throws Exception {
    try (Replica first = job(kind);
        Replica second = job(kind)) {
      first.commit("c1", 1, put(1, 1, "eu", "base"));
      List<WrittenFiles> files = List.of(second.write(put(2, 1, "eu", "loser")));

      CommitRecord won = first.commit("c2", "c1", 2, List.of(first.write(put(3, 1, "eu", "w"))));
      CommitRecord lost = second.commit("d2", "c1", 2, files);

      assertThat(won.commitId()).isEqualTo("c2");
      assertThat(lost).isEqualTo(won);
      assertThat(second.rows()).containsOnlyKeys(1L, 3L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void replayedCommitChangesNothing(Catalogs kind) throws Exception {
    try (Replica job = job(kind);
        Replica restarted = job(kind)) {
      List<WrittenFiles> files = List.of(job.write(put(1, 1, "eu", "a"), delete(2, 1)));
      CommitRecord made = job.commit("c1", null, 1, files);
      long snapshot = job.foreign().currentSnapshot().snapshotId();

      assertThat(restarted.commit("c1", null, 1, files)).isEqualTo(made);
      assertThat(job.foreign().currentSnapshot().snapshotId()).isEqualTo(snapshot);
      assertThat(ancestry(job.foreignTombstones())).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void compactionAndExpiryByOthersKeepTheRecordFindable(Catalogs kind) throws Exception {
    try (Replica job = job(kind)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      CommitRecord second = job.commit("c2", 2, put(1, 2, "eu", "b"), delete(9, 1));
      Table foreign = job.foreign();
      Compaction.run(foreign);
      Compaction.run(foreign);
      Compaction.expire(foreign);

      assertThat(ancestry(foreign)).hasSize(1);
      assertThat(job.ledger.last()).isEqualTo(second);
      job.commit("c3", 3, put(1, 3, "eu", "c"));
      assertThat(last(job)).isEqualTo("c3");
      assertThat(job.rows()).isEqualTo(Map.of(1L, "eu/c"));
    }
  }

  @Test
  void afterARollbackTheOlderRecordCounts() throws Exception {
    try (Replica job = job(Catalogs.HADOOP)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      long first = job.foreign().currentSnapshot().snapshotId();
      job.commit("c2", 2, put(1, 2, "eu", "b"));
      job.foreign().manageSnapshots().rollbackTo(first).commit();

      assertThat(last(job)).isEqualTo("c1");
      CommitRecord answer = job.commit("c3", "c2", 3, List.of(job.write(put(5, 3, "eu", "c"))));
      assertThat(answer.commitId()).isEqualTo("c1");
    }
  }

  /** {@code REPLACE TABLE} keeps the properties, and with them the pointer to the record. */
  @ParameterizedTest
  @EnumSource
  void aTableThatWasReplacedByAnEmptyOneHasNoRecord(Catalogs kind) throws Exception {
    try (Replica job = job(kind);
        OpenCatalog somebody = OpenCatalog.open(job.catalog)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      somebody
          .catalog()
          .buildTable(TableIdentifier.parse(Orders.TABLE), job.foreign().schema())
          .withPartitionSpec(job.foreign().spec())
          .replaceTransaction()
          .commitTransaction();
      assertThat(job.rows()).isEmpty();

      assertThat(last(job)).isNull();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theHistoryTellsAncestorsFromCommitsThatWereRolledBack(Catalogs kind) throws Exception {
    try (Replica job = job(kind)) {
      CommitRecord first = job.commit("c1", 1, put(1, 1, "eu", "a"));
      long snapshot = job.foreign().currentSnapshot().snapshotId();
      CommitRecord second =
          job.commit(
              "c2", 2, List.of(job.write(put(1, 2, "eu", "b")), job.write(put(1, 3, "eu", "c"))));

      assertThat(job.ledger.lineage("c1")).isEqualTo(new Lineage(first, true));
      assertThat(job.ledger.lineage("c2")).isEqualTo(new Lineage(second, true));
      job.foreign().manageSnapshots().rollbackTo(snapshot).commit();
      assertThat(job.ledger.lineage("c2")).isEqualTo(new Lineage(null, true));
      Compaction.run(job.foreign());
      Compaction.expire(job.foreign());
      assertThat(job.ledger.lineage("c1")).isEqualTo(new Lineage(null, false));
    }
  }

  @Test
  void rollbackIntoTheMiddleOfACommitIsNoticed() throws Exception {
    try (Replica job = job(Catalogs.HADOOP)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      job.commit(
          "c2", 2, List.of(job.write(put(1, 2, "eu", "b")), job.write(put(1, 3, "eu", "c"))));
      Table foreign = job.foreign();
      long partial = ancestry(foreign).get(1).snapshotId();
      foreign.manageSnapshots().rollbackTo(partial).commit();

      assertThatThrownBy(job.ledger::last)
          .isInstanceOf(ForeignWriteException.class)
          .hasMessage(
              "Somebody else wrote to table shop.orders: snapshot "
                  + partial
                  + " (overwrite) after commit c1"
                  + IcebergLedger.MEND);
    }
  }

  @ParameterizedTest
  @EnumSource
  void rowsOfOthersAreRefused(Catalogs kind) throws Exception {
    try (Replica job = job(kind);
        Replica other = job(kind)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      Table foreign = job.foreign();
      WrittenFiles files = other.write(put(7, 7, "eu", "foreign"));
      FileDescriptions.readData(files.data(), foreign.specs())
          .forEach(file -> foreign.newFastAppend().appendFile(file).commit());
      String problem =
          "Somebody else wrote to table shop.orders: snapshot "
              + foreign.currentSnapshot().snapshotId()
              + " (append) after commit c1"
              + IcebergLedger.MEND;

      assertThatThrownBy(job.ledger::last)
          .isInstanceOf(ForeignWriteException.class)
          .hasMessage(problem);
      assertThatThrownBy(() -> job.commit("c2", "c1", 2, List.of(job.write(put(2, 2, "eu", "b")))))
          .isInstanceOf(ForeignWriteException.class)
          .hasMessage(problem);
    }
  }

  @Test
  void rowsBelowTheFirstRecordAreRefusedUnlessTheyAreAdopted() throws Exception {
    CatalogSettings catalog = Catalogs.HADOOP.in(directory);
    try (Replica job = new Replica(catalog, Orders.table())) {
      Table foreign = job.foreign();
      WrittenFiles theirs = job.write(put(7, 7, "eu", "foreign"));
      FileDescriptions.readData(theirs.data(), foreign.specs())
          .forEach(file -> foreign.newFastAppend().appendFile(file).commit());

      assertThatThrownBy(job.ledger::last)
          .isInstanceOf(ForeignWriteException.class)
          .hasMessageEndingWith("and it has no commit of Tidemark. Stop that writer and run again");
      TableLedger adopting = adopting(job, foreign);
      assertThat(adopting.last()).isNull();
      // Nobody has seen these: the marks would lack them.
      WrittenFiles later = job.write(put(8, 8, "eu", "foreign"));
      FileDescriptions.readData(later.data(), foreign.specs())
          .forEach(file -> foreign.newFastAppend().appendFile(file).commit());
      List<WrittenFiles> ours = List.of(job.write(put(1, 1, "eu", "a")));
      assertThatThrownBy(
              () -> adopting.commit(Replica.batches(ours), Replica.record("c1", null, 1, ours)))
          .isInstanceOf(ForeignWriteException.class);
      adopting.close();

      try (TableLedger all = adopting(job, foreign)) {
        all.commit(Replica.batches(ours), Replica.record("c1", null, 1, ours));
      }
      assertThat(job.rows()).containsOnlyKeys(1L, 7L, 8L);
      assertThat(last(job)).isEqualTo("c1");
    }
  }

  private static TableLedger adopting(Replica job, Table table) {
    table.refresh();
    return new IcebergLedgerFactory(
            job.catalog,
            Orders.TABLE,
            job.table.version(),
            new Acceptance(table.currentSnapshot().snapshotId(), null, List.of()))
        .open(Replica.AT_ONCE);
  }

  @Test
  void changedColumnsOrSpecsAreRefusedUntilARestart() throws Exception {
    try (Replica job = job(Catalogs.HADOOP)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"));
      List<WrittenFiles> files = List.of(job.write(put(1, 2, "eu", "b")));
      job.foreign().updateSchema().addColumn("theirs", Types.StringType.get()).commit();
      assertThatThrownBy(() -> job.commit("c2", "c1", 2, files))
          .isInstanceOf(TableChangedException.class)
          .hasMessage(
              "Table shop.orders was changed while the job ran: it now has"
                  + " schema 1 and partition specs [0], the job knows"
                  + " schema 0 and partition specs [0]. A restart takes the change up");
      try (Replica restarted = job(Catalogs.HADOOP)) {
        restarted.seed();
        restarted.commit("c2", 2, put(1, 2, "eu", "b"));
        assertThat(restarted.rows()).isEqualTo(Map.of(1L, "eu/b"));
        restarted.foreign().updateSpec().addField("region").commit();
        assertThatThrownBy(() -> restarted.commit("c3", 3, put(1, 3, "eu", "c")))
            .isInstanceOf(TableChangedException.class);
      }
    }
  }

  @Test
  void recordBelowItsParentIsRefused() throws Exception {
    try (Replica job = job(Catalogs.HADOOP)) {
      job.commit("c1", 5, put(1, 1, "eu", "a"));
      assertThatThrownBy(() -> job.commit("c2", 4, put(1, 2, "eu", "b")))
          .isInstanceOf(CommitRefusedException.class)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "Commit c2 of table shop.orders records shop.public.orders-0 up to offset 4, below"
                  + " offset 5 of commit c1, on which it builds");
    }
  }

  @Test
  void catalogThatIsAwayIsUnavailableAfterAllAttempts() throws Exception {
    CatalogSettings away = new CatalogSettings("lake", Map.of("type", "jdbc", "uri", "jdbc:none:"));
    try (TableLedger ledger =
        new IcebergLedgerFactory(away, Orders.TABLE, new TableVersion(0, java.util.Set.of(0)), null)
            .open(failures -> failures < 3)) {
      assertThatThrownBy(ledger::last)
          .isInstanceOf(UnavailableException.class)
          .hasMessage(
              "Table shop.orders could not be settled in 3 attempts; whether the commit landed is"
                  + " unknown");
    }
  }

  /** What must not be: all batches in one snapshot. */
  private static final class MergingLedger extends IcebergLedger {
    private final TableVersion known;

    private MergingLedger(CatalogSettings catalog, TableVersion known) {
      super(
          new LedgerTables.OfCatalog(catalog, Orders.TABLE, null),
          new IcebergLedgerFactory(catalog, Orders.TABLE, known, null),
          Replica.AT_ONCE);
      this.known = known;
    }

    @Override
    MainCommit mainCommit(CommitRecord record) {
      return new MainCommit(record, known, null) {
        @Override
        List<WrittenFiles> steps(List<Batch> batches) {
          return List.of(
              batches.stream().map(Batch::files).reduce(WrittenFiles.NONE, WrittenFiles::plus));
        }
      };
    }
  }

  /** What a run came to, whoever restarted it. */
  @Test
  void whatCommitsChangedIsCountedFromOneOfThemOn() throws Exception {
    try (Replica job = job(Catalogs.HADOOP)) {
      job.commit("c1", 1, put(1, 1, "eu", "a"), put(2, 1, "eu", "a"));
      job.commit("c2", 2, List.of(job.write(put(1, 2, "eu", "b")), job.write(delete(2, 2))));
      job.commit("c3", 3, List.of());
      Table table = job.foreign();
      assertThat(OwnHistory.changedSince(ancestry(table), null)).isEqualTo(4);
      assertThat(OwnHistory.changedSince(ancestry(table), "c1")).isEqualTo(2);
      assertThat(OwnHistory.changedSince(ancestry(table), "c3")).isZero();

      Compaction.expire(table);
      assertThat(OwnHistory.changedSince(ancestry(table), "c2")).isZero();
      assertThat(OwnHistory.changedSince(ancestry(table), "c1")).isNull();
      assertThat(OwnHistory.changedSince(ancestry(table), null)).isNull();
    }
  }
}
