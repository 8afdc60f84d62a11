package io.tidemark.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A table's history in memory, with a switch for the answer that gets lost. */
public class InMemoryLedger implements TableLedger {
  /** The commits that landed, oldest first. */
  public final List<CommitRecord> records = new ArrayList<>();

  /** The batches of each. */
  public final List<List<Batch>> batches = new ArrayList<>();

  /** Whether the next commit lands but its answer is lost. */
  public boolean loseNextAnswer;

  /** Whether older commits cannot be seen any more. */
  public boolean expired;

  @Override
  public @Nullable CommitRecord last() {
    return records.isEmpty() ? null : records.get(records.size() - 1);
  }

  @Override
  public Lineage lineage(String commitId) {
    return records.stream()
        .filter(record -> record.commitId().equals(commitId))
        .findFirst()
        .map(record -> new Lineage(record, true))
        .orElse(new Lineage(null, !expired));
  }

  /** What {@link #missing} says. */
  public @Nullable String missing;

  @Override
  public @Nullable String missing(List<Batch> wanted) {
    return missing;
  }

  @Override
  public @Nullable CommitRecord commit(List<Batch> newBatches, CommitRecord record) {
    CommitRecord last = last();
    if (Objects.equals(record.parent(), last == null ? null : last.commitId())) {
      records.add(record);
      batches.add(newBatches);
      if (loseNextAnswer) {
        loseNextAnswer = false;
        throw new UnavailableException("the answer was lost", new IllegalStateException());
      }
    }
    return last();
  }

  @Override
  public void close() {}
}
