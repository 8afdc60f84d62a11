package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.DAY;
import static io.tidemark.iceberg.Orders.delete;
import static io.tidemark.iceberg.Orders.key;
import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.Retention;
import io.tidemark.commit.WrittenFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TombstoneLogTest {
  @TempDir private Path directory;

  private Replica job() {
    return new Replica(Catalogs.jdbcInMemory(directory), Orders.table());
  }

  /** A commit that crashed between its tombstones and the table. */
  static long orphan(Replica job, @Nullable Long pinned, String id, WrittenFiles files) {
    return append(job.foreignTombstones(), pinned, id, files);
  }

  static long append(Table table, @Nullable Long pinned, String id, WrittenFiles files) {
    return TombstoneLog.append(
        table,
        pinned,
        Retention.NONE,
        id,
        FileDescriptions.readData(files.tombstones(), table.specs()));
  }

  static Map<PrimaryKey, Mark> buried(Replica job, CommitRecord record)
      throws IOException, InterruptedException {
    return Replica.seeded(job.catalog, null, record);
  }

  @ParameterizedTest
  @EnumSource
  void tombstonesOfACommitThatNeverLandedDoNotCount(Catalogs kind) throws Exception {
    try (Replica job = new Replica(kind.in(directory), Orders.table())) {
      CommitRecord first = job.commit("c1", 1, put(1, 1, "eu", "a"), delete(2, 1));
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(1, 2)));

      job.seed();

      assertThat(Objects.requireNonNull(job.marks.get(key(1))).live()).isTrue();
      CommitRecord second = job.commit("c2", 2, delete(3, 3));
      assertThat(buried(job, second)).containsOnlyKeys(key(2), key(3));
      assertThat(job.foreignTombstones().currentSnapshot().snapshotId())
          .isEqualTo(second.tombstoneSnapshot());
    }
  }

  @Test
  void plantedBugReadingTheHeadCountsThem() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(2, 1));
      long head = orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(1, 2)));
      CommitRecord wrong =
          new CommitRecord(
              first.commitId(),
              first.parent(),
              first.incarnation(),
              first.checkpoint(),
              first.progress(),
              first.stats(),
              head,
              null,
              Map.of());
      assertThat(buried(job, wrong)).containsOnlyKeys(key(1), key(2));
    }
  }

  @Test
  void tombstonesBelowTheFirstRecordDoNotCountEither() throws Exception {
    try (Replica job = job()) {
      orphan(job, null, "never", job.write(delete(1, 1)));
      job.commit("c1", 1, put(4, 1, "eu", "a"));
      CommitRecord second = job.commit("c2", 2, delete(2, 2));
      assertThat(buried(job, second)).containsOnlyKeys(key(2));
    }
  }

  @Test
  void norDoTheyIfTheyWereCompactedAndTheirOwnSnapshotExpired() throws Exception {
    try (Replica job = job()) {
      orphan(job, null, "never", job.write(delete(1, 1)));
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      CommitRecord first = job.commit("c1", 1, delete(2, 2));
      assertThat(buried(job, first)).containsOnlyKeys(key(2));
    }
  }

  @Test
  void whatACompactionMadeOfOthersIsNotTakenForAnExpiredPin() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      WrittenFiles late = job.write(delete(2, 2));
      orphan(job, first.tombstoneSnapshot(), "late", late);
      CommitRecord second = job.commit("c2", 2, delete(3, 3));
      // The one that is late has not seen that yet, and appends again what it has appended.
      orphan(job, first.tombstoneSnapshot(), "late", late);
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(3));

      Compaction.dropTags(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      assertThatThrownBy(() -> buried(job, second))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining("snapshot " + second.tombstoneSnapshot());
    }
  }

  @Test
  void pinThatWasMadeCurrentAgainIsFoundInWhatACompactionMadeOfIt() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      WrittenFiles files = job.write(delete(2, 2));
      orphan(job, first.tombstoneSnapshot(), "c2", files);
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(3, 3)));
      CommitRecord second = job.commit("c2", 2, List.of(files));
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());

      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(2));
    }
  }

  @Test
  void norIsWhatWasGoneBackToLost() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(2, 2)));
      TombstoneLog.goBackTo(job.foreignTombstones(), first.tombstoneSnapshot());
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());

      assertThat(buried(job, first)).containsOnlyKeys(key(1));
    }
  }

  @Test
  void appendedOnceHoweverOften() throws Exception {
    try (Replica job = job()) {
      WrittenFiles files = job.write(delete(1, 1));
      long first = orphan(job, null, "c1", files);
      assertThat(orphan(job, null, "c1", files)).isEqualTo(first);
      CommitRecord made = job.commit("c1", null, 1, List.of(files));
      assertThat(made.tombstoneSnapshot()).isEqualTo(first);
      assertThat(job.foreignTombstones().snapshots()).hasSize(1);
    }
  }

  @Test
  void commitWithoutDeletesKeepsThePinnedSnapshot() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      CommitRecord second = job.commit("c2", 2, put(2, 2, "eu", "a"));
      assertThat(second.tombstoneSnapshot()).isNotNull().isEqualTo(first.tombstoneSnapshot());
    }
  }

  @Test
  void compactionOfTombstonesIsKeptAndItsOrphansAreNot() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1), delete(2, 1));
      Compaction.run(job.foreignTombstones());
      long compacted = job.foreignTombstones().currentSnapshot().snapshotId();
      orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(3, 2)));

      CommitRecord second = job.commit("c2", 2, delete(4, 3));

      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(2), key(4));
      assertThat(job.foreignTombstones().currentSnapshot().parentId()).isEqualTo(compacted);
    }
  }

  @Test
  void expiredPinIsFoundAgainInWhatACompactionMadeOfIt() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1), delete(2, 1));
      Compaction.run(job.foreignTombstones());
      Compaction.dropTags(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      assertThat(job.foreignTombstones().snapshot(pin(first))).isNull();

      assertThat(buried(job, first)).containsOnlyKeys(key(1), key(2));
      CommitRecord second = job.commit("c2", 2, delete(3, 2));
      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(2), key(3));
    }
  }

  @Test
  void pinThatAnotherJobTookBackIsMadeCurrentAgain() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      CommitRecord second = job.commit("c2", 2, delete(2, 2));
      job.foreignTombstones().manageSnapshots().setCurrentSnapshot(pin(first)).commit();

      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(2));
      CommitRecord third = job.commit("c3", 3, delete(3, 3));
      assertThat(buried(job, third)).containsOnlyKeys(key(1), key(2), key(3));
    }
  }

  @Test
  void foreignTombstonesAreRefused() throws Exception {
    try (Replica job = job()) {
      job.commit("c1", 1, delete(1, 1));
      Table foreign = job.foreignTombstones();
      FileDescriptions.readData(job.write(delete(9, 9)).tombstones(), foreign.specs())
          .forEach(file -> foreign.newFastAppend().appendFile(file).commit());
      assertThatThrownBy(() -> job.commit("c2", 2, delete(3, 3)))
          .isInstanceOf(ForeignWriteException.class)
          .hasMessageContaining("__tombstones: snapshot ");
    }
  }

  /** Day 0, day 1 and day 2 of {@link Orders#delete}; the horizon keeps one day more. */
  private static CommitRecord threeDays(Replica job, @Nullable LocalDate horizon)
      throws IOException {
    job.commit("c1", 1, delete(1, 1), delete(2, 11), put(7, 1, "eu", "a"));
    List<WrittenFiles> files = List.of(job.write(delete(3, 21)));
    CommitRecord record = Replica.record("c2", "c1", 2, files);
    return Objects.requireNonNull(
        job.ledger.commit(Replica.batches(files), withHorizon(record, horizon)));
  }

  private static CommitRecord withHorizon(CommitRecord r, @Nullable LocalDate horizon) {
    return new CommitRecord(
        r.commitId(),
        r.parent(),
        r.incarnation(),
        r.checkpoint(),
        r.progress(),
        r.stats(),
        r.tombstoneSnapshot(),
        horizon,
        Map.of());
  }

  private static CommitRecord forgetful(CommitRecord record) {
    return withHorizon(record, null); // reads what is there, wanted or not
  }

  @ParameterizedTest
  @EnumSource
  void daysAreDroppedWithTheNextTombstonesOnceTheirHorizonIsInTheTable(Catalogs kind)
      throws Exception {
    try (Replica job = new Replica(kind.in(directory), Orders.table())) {
      CommitRecord second = threeDays(job, LocalDate.EPOCH.plusDays(2));
      assertThat(buried(job, forgetful(second))).containsOnlyKeys(key(1), key(2), key(3));
      assertThat(buried(job, second)).containsOnlyKeys(key(2), key(3));

      CommitRecord third = job.commit("c3", 3, put(8, 30, "eu", "b"));
      assertThat(third.tombstoneSnapshot()).isEqualTo(second.tombstoneSnapshot());
      CommitRecord fourth = commit(job, "c4", "c3", null, delete(4, 31));
      assertThat(buried(job, forgetful(fourth)))
          .as("c3 named no horizon")
          .containsOnlyKeys(key(1), key(2), key(3), key(4));
      commit(job, "c5", "c4", LocalDate.EPOCH.plusDays(2), put(9, 1, "eu", "c"));
      CommitRecord sixth = commit(job, "c6", "c5", LocalDate.EPOCH.plusDays(3), delete(5, 32));
      assertThat(buried(job, forgetful(sixth))).containsOnlyKeys(key(2), key(3), key(4), key(5));
      assertThat(buried(job, forgetful(second)))
          .as("an older record has what it names")
          .containsOnlyKeys(key(1), key(2), key(3));
    }
  }

  @Test
  void whatADropThatNeverLandedTookIsThereAgain() throws Exception {
    try (Replica job = job()) {
      CommitRecord second = threeDays(job, LocalDate.EPOCH.plusDays(2));
      Table table = job.foreignTombstones();
      TombstoneLog.append(
          table,
          second.tombstoneSnapshot(),
          DAY,
          "never",
          FileDescriptions.readData(job.write(delete(6, 40)).tombstones(), table.specs()));
      assertThat(buried(job, forgetful(second))).containsOnlyKeys(key(1), key(2), key(3));

      List<WrittenFiles> files = List.of(job.write(delete(4, 31)));
      CommitRecord third =
          Objects.requireNonNull(
              job.ledger.commit(
                  Replica.batches(files),
                  withHorizon(Replica.record("c3", "c2", 3, files), second.horizon())));
      assertThat(buried(job, forgetful(third))).containsOnlyKeys(key(2), key(3), key(4));
    }
  }

  /** The tombstones of a compaction by others are still dropped by the day, and none too many. */
  @Test
  void compactionAndExpiryBetweenDropsLoseNothing() throws Exception {
    try (Replica job = job()) {
      threeDays(job, LocalDate.EPOCH.plusDays(2));
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      CommitRecord third = commit(job, "c3", "c2", LocalDate.EPOCH.plusDays(3), delete(4, 31));
      assertThat(buried(job, forgetful(third))).containsOnlyKeys(key(2), key(3), key(4));
      Compaction.run(job.foreignTombstones());
      Compaction.expire(job.foreignTombstones());
      Compaction.run(job.foreign());
      Compaction.expire(job.foreign());
      assertThat(buried(job, third)).containsOnlyKeys(key(3), key(4));
      CommitRecord fourth = commit(job, "c4", "c3", LocalDate.EPOCH.plusDays(3), delete(5, 35));
      assertThat(buried(job, forgetful(fourth))).containsOnlyKeys(key(3), key(4), key(5));
    }
  }

  /** Somebody rewrote the tombstones into one file: no day of it can be dropped, nor counts it. */
  @Test
  void aFileAcrossDaysStaysAndItsForgottenTombstonesDoNotCount() throws Exception {
    try (Replica job = job()) {
      CommitRecord second = threeDays(job, LocalDate.EPOCH.plusDays(2));
      Table table = job.foreignTombstones();
      table.updateSpec().removeField("_source_ts_day").commit();
      Compaction.run(table);
      CommitRecord third = commit(job, "c3", "c2", second.horizon(), put(8, 30, "eu", "b"));
      List<WrittenFiles> files;
      try (Replica restarted = job()) {
        files = List.of(restarted.write(delete(4, 31)));
        third =
            Objects.requireNonNull(
                restarted.ledger.commit(
                    Replica.batches(files),
                    withHorizon(Replica.record("c4", "c3", 4, files), second.horizon())));
      }
      assertThat(buried(job, forgetful(third))).containsOnlyKeys(key(1), key(2), key(3), key(4));
      assertThat(buried(job, third)).containsOnlyKeys(key(2), key(3), key(4));
    }
  }

  private static CommitRecord commit(
      Replica job, String id, String parent, @Nullable LocalDate horizon, Change... changes)
      throws IOException {
    List<WrittenFiles> files = List.of(job.write(changes));
    return Objects.requireNonNull(
        job.ledger.commit(
            Replica.batches(files),
            withHorizon(
                Replica.record(id, parent, Long.parseLong(id.substring(1)), files), horizon)));
  }

  static long pin(CommitRecord record) {
    return Objects.requireNonNull(record.tombstoneSnapshot());
  }
}
