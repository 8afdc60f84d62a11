package io.tidemark.iceberg;

import static io.tidemark.iceberg.Orders.delete;
import static io.tidemark.iceberg.Orders.key;
import static io.tidemark.iceberg.Orders.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.WrittenFiles;
import java.io.IOException;
import java.nio.file.Path;
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
  private static long orphan(Replica job, @Nullable Long pinned, String id, WrittenFiles files) {
    Table table = job.foreignTombstones();
    return TombstoneLog.append(
        table, pinned, id, FileDescriptions.readData(files.tombstones(), table.specs()));
  }

  private static Map<PrimaryKey, Mark> buried(Replica job, CommitRecord record)
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
              head);
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
      Compaction.expire(job.foreignTombstones());
      assertThat(job.foreignTombstones().snapshot(pin(first))).isNull();

      assertThat(buried(job, first)).containsOnlyKeys(key(1), key(2));
      CommitRecord second = job.commit("c2", 2, delete(3, 2));
      assertThat(buried(job, second)).containsOnlyKeys(key(1), key(2), key(3));
    }
  }

  @Test
  void expiredPinUnderAnOrphanIsRefusedWithBothNamed() throws Exception {
    try (Replica job = job()) {
      CommitRecord first = job.commit("c1", 1, delete(1, 1));
      long head = orphan(job, first.tombstoneSnapshot(), "never", job.write(delete(2, 2)));
      Compaction.expire(job.foreignTombstones());

      String problem =
          "snapshot "
              + first.tombstoneSnapshot()
              + " of "
              + job.foreignTombstones().name()
              + " was expired, and its current snapshot "
              + head
              + " does not descend from it";
      assertThatThrownBy(() -> buried(job, first))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining(problem);
      assertThatThrownBy(() -> job.commit("c2", 2, delete(3, 3)))
          .isInstanceOf(CommitRefusedException.class)
          .hasMessageContaining(problem);
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

  private static long pin(CommitRecord record) {
    return Objects.requireNonNull(record.tombstoneSnapshot());
  }
}
