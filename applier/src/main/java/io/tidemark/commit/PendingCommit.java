package io.tidemark.commit;

import java.util.ArrayList;
import java.util.List;

/**
 * What the barrier of one checkpoint closed and that is not known to be in the table.
 *
 * @param checkpoint the checkpoint whose barrier closed it; at least 0
 * @param commitId the identity that it will have in the table: random, made once, kept through
 *     restarts. Checkpoint numbers start over when state is lost, so they identify nothing
 * @param batches in the order in which they apply
 * @param progress how far the source was read at the barrier
 * @param replayed whether the job's {@link AcceptedReplay} was through at the barrier
 */
public record PendingCommit(
    long checkpoint, String commitId, List<Batch> batches, Progress progress, boolean replayed) {

  public PendingCommit {
    batches = List.copyOf(batches);
  }

  /** Whether there are no files to commit. */
  public boolean isEmpty() {
    return batches.stream().allMatch(batch -> batch.files().isEmpty());
  }

  /** The same with what must be known of one whose progress a later one has, and no files. */
  PendingCommit withoutProgress() {
    return isEmpty()
        ? new PendingCommit(checkpoint, commitId, List.of(), Progress.NONE, replayed)
        : this;
  }

  /** This and a later one as one commit, under the later one's identity. */
  public PendingCommit followedBy(PendingCommit later) {
    List<Batch> all = new ArrayList<>(batches);
    all.addAll(later.batches);
    return new PendingCommit(
        later.checkpoint, later.commitId, all, later.progress.merge(progress), later.replayed);
  }
}
