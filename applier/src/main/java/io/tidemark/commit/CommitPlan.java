package io.tidemark.commit;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What remains to be done for the commits that are pending, given the table's last own record. */
public sealed interface CommitPlan {

  /** All of it is in the table. */
  record Landed() implements CommitPlan {}

  /** One commit is to be made, on top of the record named {@code parent}. */
  record Commit(PendingCommit commit, @Nullable String parent) implements CommitPlan {}

  /** The table's record is none that this job made or builds on: another writer made it. */
  record Fenced(@Nullable String found, @Nullable String expected) implements CommitPlan {}

  /**
   * Decides. A commit whose answer was lost may be in the table, and it may have been a shorter one
   * than what is pending now: then only what follows it remains.
   *
   * @param last commit-id of the table's last own record; null if it has none
   * @param expected commit-id that this job last saw land, or started from; null if none
   * @param pending at least one, in order of their checkpoints
   */
  static CommitPlan decide(
      @Nullable String last, @Nullable String expected, List<PendingCommit> pending) {
    int landed = -1;
    for (int i = 0; i < pending.size(); i++) {
      if (pending.get(i).commitId().equals(last)) {
        landed = i;
      }
    }
    if (landed < 0 && !Objects.equals(last, expected)) {
      return new Fenced(last, expected);
    }
    return pending.subList(landed + 1, pending.size()).stream()
        .reduce(PendingCommit::followedBy)
        .<CommitPlan>map(commit -> new Commit(commit, last))
        .orElseGet(Landed::new);
  }
}
