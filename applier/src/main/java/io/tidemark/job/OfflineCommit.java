package io.tidemark.job;

import io.tidemark.commit.Batch;
import io.tidemark.commit.BatchKey;
import io.tidemark.commit.BatchStats;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Progress;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.Settings;
import io.tidemark.iceberg.Acceptance;
import io.tidemark.iceberg.IcebergLedgerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One more commit on a table's newest record, at its offsets, made while no job runs. Until then
 * nothing but files that nobody knows is written, so what makes one may be killed anywhere; a job
 * that does run finds it at its own next commit, and stops.
 *
 * @param accepted what others wrote and the commit may build on; null for nothing
 * @param by who makes it, for people
 */
record OfflineCommit(
    Settings settings, String table, RepairPlan plan, @Nullable Acceptance accepted, String by) {
  /** All that keeps tables tells one commit from another by its id; this is for people. */
  private static final long NO_CHECKPOINT = 0;

  /**
   * Makes it.
   *
   * @param batches in the order in which they apply
   * @param progress what the table's record is to know, at the offsets where it is
   * @return the record; null if the table has another one by now, and nothing was changed
   * @throws io.tidemark.commit.UnavailableException if the catalog does not answer: whether the
   *     commit landed is unknown, and making another one is safe
   */
  @Nullable CommitRecord make(List<WrittenFiles> batches, Progress progress) {
    CommitRecord parent = plan.record();
    BatchStats stats = parent.stats().carried();
    List<Batch> all = new ArrayList<>();
    for (WrittenFiles files : batches) {
      all.add(new Batch(new BatchKey(NO_CHECKPOINT, all.size()), files));
      stats = stats.plus(files.stats());
    }
    if (accepted != null) {
      stats = stats.withLive(null); // what others left there the next start without state counts
    }
    CommitRecord record =
        new CommitRecord(
            UUID.randomUUID().toString(),
            parent.commitId(),
            by + " " + UUID.randomUUID(),
            NO_CHECKPOINT,
            progress,
            stats,
            parent.tombstoneSnapshot(),
            parent.horizon(),
            parent.replay());
    IcebergLedgerFactory ledger =
        new IcebergLedgerFactory(settings.catalog(), table, plan.version(), accepted);
    try (TableLedger open = ledger.open(Backoffs.commits())) {
      CommitRecord last = open.commit(all, record);
      return last != null && last.commitId().equals(record.commitId()) ? record : null;
    }
  }
}
