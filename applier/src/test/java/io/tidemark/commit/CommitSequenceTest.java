package io.tidemark.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.Position;
import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommitSequenceTest {
  private static final TopicPartition ORDERS = new TopicPartition("orders", 0);
  private static final Retention DAYS = new Retention(3);

  private final InMemoryLedger ledger = new InMemoryLedger();
  private final CommitSequence job = new CommitSequence(ledger, "job-1", DAYS, null);

  @Test
  void aCompletedCheckpointIsOneCommit() {
    job.close(1, "c1", List.of(batch(1, 0, "f1"), batch(1, 1, "f2")), read(10));

    assertThat(job.commit(1, false)).isTrue();

    assertThat(ledger.records).extracting(CommitRecord::commitId).containsExactly("c1");
    assertThat(files(0)).containsExactly("f1", "f2");
    assertThat(ledger.records.get(0).progress()).isEqualTo(read(10));
  }

  @Test
  void anAbortedCheckpointHasNoRecordOfItsOwn() {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));

    job.commit(2, false);

    assertThat(ledger.records).extracting(CommitRecord::commitId).containsExactly("c2");
    assertThat(files(0)).containsExactly("f1", "f2");
  }

  @Test
  void nothingIsCommittedBeforeItsCheckpointIsComplete() {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));

    job.commit(1, false);

    assertThat(files(0)).containsExactly("f1");
    assertThat(ledger.records).hasSize(1);
  }

  @Test
  void eachCommitNamesTheOneThatItBuildsOn() {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.commit(1, false);
    job.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));
    job.commit(2, false);

    assertThat(ledger.records).extracting(CommitRecord::parent).containsExactly(null, "c1");
  }

  @Test
  void aCheckpointWithoutChangesIsNoCommit() {
    job.close(1, "c1", List.of(), read(10));

    assertThat(job.commit(1, false)).isFalse();

    assertThat(ledger.records).isEmpty();
  }

  @Test
  void offsetsThatMovedWithoutChangesAreRecordedWhenAskedFor() {
    job.close(1, "c1", List.of(), read(10));
    job.commit(1, false);
    job.close(2, "c2", List.of(), read(10));

    assertThat(job.commit(2, true)).isTrue();
    job.close(3, "c3", List.of(), read(10));
    assertThat(job.commit(3, true)).isFalse();

    assertThat(ledger.records).extracting(CommitRecord::commitId).containsExactly("c2");
  }

  @Test
  void aRestoredJobGoesOnFromItsOwnEmptyCommit() throws IOException {
    job.close(1, "c1", List.of(), read(10));
    byte[] checkpoint = job.save();
    job.commit(1, true);

    CommitSequence restored = CommitSequence.restore(ledger, "job-1", DAYS, checkpoint);
    restored.settle();
    restored.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));
    restored.commit(2, false);

    assertThat(ledger.records).extracting(CommitRecord::parent).containsExactly(null, "c1");
  }

  @Test
  void aReplayNeverLowersTheRecordedOffsets() {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(100));
    job.commit(1, false);
    CommitSequence replay = new CommitSequence(ledger, "job-2", DAYS, "c1");

    replay.close(1, "d1", List.of(batch(1, 0, "g1")), read(5));
    replay.commit(1, false);

    assertThat(ledger.last().progress()).isEqualTo(read(100));
  }

  @Test
  void aGapIsCarriedForwardByEveryCommit() {
    assertThat(gapsAfterTwoMoreJobs(ledger)).containsExactly(new Gap(ORDERS, 3, 7));
  }

  @Test
  void plantedBugARecordThatForgetsItsGapsIsCaught() {
    InMemoryLedger forgetful =
        new InMemoryLedger() {
          @Override
          public CommitRecord last() {
            CommitRecord r = super.last();
            return r == null
                ? null
                : new CommitRecord(
                    r.commitId(),
                    r.parent(),
                    r.incarnation(),
                    r.checkpoint(),
                    new Progress(r.progress().partitions()),
                    r.stats(),
                    r.tombstoneSnapshot(),
                    r.horizon(),
                    r.replay());
          }
        };

    assertThat(gapsAfterTwoMoreJobs(forgetful)).isEmpty();
  }

  /** A job that accepted a gap, then two that know nothing of it but what the record says. */
  private static Set<Gap> gapsAfterTwoMoreJobs(InMemoryLedger ledger) {
    CommitSequence accepting = new CommitSequence(ledger, "job-1", DAYS, null);
    Progress skipped = new Progress(read(10).partitions(), Map.of(), Set.of(new Gap(ORDERS, 3, 7)));
    accepting.close(1, "c1", List.of(batch(1, 0, "f1")), skipped);
    accepting.commit(1, false);
    for (String next : List.of("c2", "c3")) {
      CommitSequence job =
          new CommitSequence(ledger, "job-" + next, DAYS, ledger.last().commitId());
      job.close(1, next, List.of(batch(1, 0, next)), read(20));
      job.commit(1, false);
    }
    return ledger.records.get(2).progress().gaps();
  }

  @Test
  void aLostAnswerIsSettledFromTheTableAfterTheRestart() throws IOException {
    ledger.loseNextAnswer = true;
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    byte[] checkpoint = job.save();
    assertThatThrownBy(() -> job.commit(1, false)).isInstanceOf(UnavailableException.class);

    CommitSequence restored = CommitSequence.restore(ledger, "job-1", DAYS, checkpoint);
    restored.settle();

    assertThat(ledger.records).extracting(CommitRecord::commitId).containsExactly("c1");
  }

  @Test
  void whatLandedOfARestoredRunIsNotCommittedAgain() throws IOException {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));
    byte[] checkpoint = job.save(); // taken before the notice of checkpoint 1 came
    job.commit(1, false);

    CommitSequence restored = CommitSequence.restore(ledger, "job-1", DAYS, checkpoint);
    restored.settle();

    assertThat(ledger.records).extracting(CommitRecord::commitId).containsExactly("c1", "c2");
    assertThat(files(1)).containsExactly("f2");
  }

  @Test
  void checkpointNumbersIdentifyNothing() {
    job.close(7, "c1", List.of(batch(7, 0, "f1")), read(10));
    job.commit(7, false);

    CommitSequence afterStateLoss = new CommitSequence(ledger, "job-2", DAYS, "c1");
    afterStateLoss.close(1, "c2", List.of(batch(1, 0, "f2")), read(20));
    afterStateLoss.commit(1, false);

    assertThat(ledger.records).extracting(CommitRecord::commitId).containsExactly("c1", "c2");
  }

  @Test
  void theSecondOfTwoJobsStopsAndNamesTheFirst() {
    CommitSequence other = new CommitSequence(ledger, "job-2", DAYS, null);
    other.close(1, "o1", List.of(batch(1, 0, "g1")), read(10));
    other.commit(1, false);
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));

    assertThatThrownBy(() -> job.commit(1, false))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "The table is ahead of this job: its last commit is o1 by incarnation job-2 (its"
                + " checkpoint 1), made after the empty table, the last that this job (incarnation"
                + " job-1) knows. Another job writes this table, or an older savepoint was"
                + " restored. This job stops; nothing is lost. Stop the other job if there is one,"
                + " and start without state (./tidemark run -c FILE; on a cluster, submit the job"
                + " without a savepoint): it goes on from the table's record");
    assertThat(ledger.records).hasSize(1);
  }

  @Test
  void anOlderSavepointIsToldFromATableThatWasRolledBack() throws IOException {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.commit(1, false);
    byte[] older = job.save();
    job.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));
    job.commit(2, false);
    byte[] newer = job.save();

    assertThatThrownBy(CommitSequence.restore(ledger, "job-2", DAYS, older)::settle)
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "The table is ahead of this job: its last commit is c2 by incarnation job-1 (its"
                + " checkpoint 2), made after c1 by incarnation job-1, the last that this job"
                + " (incarnation job-2) knows. Another job writes this table, or an older savepoint"
                + " was restored. This job stops; nothing is lost. Stop the other job if there is"
                + " one, and start without state (./tidemark run -c FILE; on a cluster, submit the"
                + " job without a savepoint): it goes on from the table's record");
    ledger.records.remove(1);
    assertThatThrownBy(CommitSequence.restore(ledger, "job-2", DAYS, newer)::settle)
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "The table's history does not hold c2 by incarnation job-1, the last that this job"
                + " (incarnation job-2) knows; its last commit is c1 by incarnation job-1 (its"
                + " checkpoint 1). The table was rolled back, or dropped and created anew. This job"
                + " stops; it has changed nothing. If the table is meant to be like that, start"
                + " without state (./tidemark run -c FILE; on a cluster, submit the job without a"
                + " savepoint): it reads again what the table's record does not cover. If not,"
                + " bring back the snapshot of that commit and start again");
  }

  @Test
  void whereOlderSnapshotsWereExpiredTheMessageClaimsNeither() throws IOException {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.commit(1, false);
    byte[] checkpoint = job.save();
    job.close(2, "c2", List.of(batch(2, 0, "f2")), read(20));
    job.commit(2, false);
    ledger.records.remove(0);
    ledger.expired = true;

    assertThatThrownBy(CommitSequence.restore(ledger, "job-2", DAYS, checkpoint)::settle)
        .hasMessageStartingWith(
            "The table went on without this job: its last commit is c2 by incarnation job-1 (its"
                + " checkpoint 2). Whether it builds on c1 by incarnation job-1, the last that this"
                + " job (incarnation job-2) knows, cannot be seen any more: older snapshots were"
                + " expired.");
  }

  @Test
  void aTableWithoutItsRecordIsRefused() throws IOException {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    job.commit(1, false);
    byte[] checkpoint = job.save();
    ledger.records.clear();

    CommitSequence restored = CommitSequence.restore(ledger, "job-1", DAYS, checkpoint);

    assertThatThrownBy(restored::settle)
        .isInstanceOf(RefusedException.class)
        .hasMessageStartingWith(
            "The table's history does not hold c1 by incarnation job-1, the last that this job"
                + " (incarnation job-1) knows; it has no commit of Tidemark. The table was rolled"
                + " back, or dropped and created anew.");
  }

  @Test
  void aRestoredCommitWhoseFilesAreGoneIsRefused() throws IOException {
    job.close(1, "c1", List.of(batch(1, 0, "f1")), read(10));
    CommitSequence restored = CommitSequence.restore(ledger, "job-2", DAYS, job.save());
    ledger.missing = "file:/lake/f1";

    assertThatThrownBy(restored::settle)
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "Commit c1 is in the state of this job (incarnation job-2) and not in the table, and"
                + " its files are gone, the first of them file:/lake/f1. The table was dropped and"
                + " created anew, or rolled back and its unused files removed. This job stops; it"
                + " has changed nothing. Start without state (./tidemark run -c FILE; on a cluster,"
                + " submit the job without a savepoint): it goes on from the table's record");
    assertThat(ledger.records).isEmpty();
  }

  /** What the first builds wrote: no incarnation, and progress without topic ids. */
  @Test
  void stateOfTheFirstFormatIsRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(1);
      out.writeBoolean(true);
      out.writeUTF("c7");
      out.writeInt(0); // partitions
      out.writeInt(0); // pending commits
    }

    assertThatThrownBy(CommitSequence.restore(ledger, "job-1", DAYS, bytes.toByteArray())::settle)
        .hasMessageStartingWith("The table's history does not hold c7, the last that this job");
  }

  @Test
  void stateOfAnotherFormatIsRefused() {
    assertThatThrownBy(() -> CommitSequence.restore(ledger, "job-1", DAYS, new byte[] {9}))
        .isInstanceOf(RefusedException.class)
        .hasMessage(
            "The committer's state has format 9, this build reads up to 4. Use the build that wrote"
                + " it, or start without state (./tidemark run -c FILE)");
  }

  private List<String> files(int commit) {
    return ledger.batches.get(commit).stream().flatMap(b -> b.files().data().stream()).toList();
  }

  private static Batch batch(long checkpoint, int index, String file) {
    return new Batch(
        new BatchKey(checkpoint, index),
        new WrittenFiles(
            List.of(file),
            List.of(),
            List.of(),
            new BatchStats(1, 0, 0, "v" + file, 5, new LiveRows(1, file.hashCode()))));
  }

  private static Progress read(long nextOffset) {
    return new Progress(
        Map.of(ORDERS, new PartitionProgress(nextOffset, 0, new Position(1, 2, 3), 4, Map.of())));
  }
}
