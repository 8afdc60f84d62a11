package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Tidemark writes into the summary of a snapshot: the table equals the fold of the log from
 * its origin up to {@code progress}.
 *
 * @param commitId random identity of the commit
 * @param parent the commit-id that it builds on; null for the first
 * @param incarnation random identity of the job that made it, for people
 * @param checkpoint Flink's number of the checkpoint, for people
 * @param progress every known partition's progress, never below the parent's
 * @param stats what the commit wrote; {@code maxVersion} and {@code maxSourceTimeMicros} of all
 *     commits up to this one, and {@code live} all rows that the table has since
 * @param tombstoneSnapshot id of the tombstone table's snapshot that belongs to it; null if that
 *     table has none. Later snapshots there belong to commits that never landed
 * @param horizon the UTC midnight before which deleted keys may be forgotten, never below the
 *     parent's; null as long as all are remembered
 * @param replay by partition the first offset of replays that take unknown keys for new ones and
 *     are not through: until then rows of forgotten keys are in the table ({@link AcceptedReplay})
 */
public record CommitRecord(
    String commitId,
    @Nullable String parent,
    String incarnation,
    long checkpoint,
    Progress progress,
    BatchStats stats,
    @Nullable Long tombstoneSnapshot,
    @Nullable LocalDate horizon,
    Map<TopicPartition, Long> replay) {

  public CommitRecord {
    replay = Map.copyOf(replay);
  }

  /** The same with another snapshot of the tombstones. */
  public CommitRecord withTombstones(@Nullable Long snapshot) {
    return new CommitRecord(
        commitId, parent, incarnation, checkpoint, progress, stats, snapshot, horizon, replay);
  }
}
