package io.tidemark.commit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commits of one table, as the table itself remembers them. */
public interface TableLedger extends AutoCloseable {

  /**
   * The newest own record, read from the table now.
   *
   * @return null if the table has none
   * @throws ForeignWriteException if rows were written by somebody else since
   */
  @Nullable CommitRecord last();

  /**
   * Looks for a commit in the table's history as it is now.
   *
   * @throws UnavailableException if the table could not be reached in all attempts
   */
  Lineage lineage(String commitId);

  /**
   * Looks for the files of batches that were written by an earlier run of this job.
   *
   * @return the location of the first that is gone; null if all are there
   * @throws TableChangedException if the table got a partition spec since, under which their
   *     deletes reach no row, or has none any more under which one of them lies
   * @throws UnavailableException if the table could not be reached in all attempts
   */
  @Nullable String missing(List<Batch> batches);

  /**
   * Makes one commit, if {@code record.parent()} is still the newest own record. Retries what can
   * be retried; an outcome that is unknown is settled by reading the table.
   *
   * @param batches in the order in which they apply; none of them or all of them may be empty
   * @param record what the commit says about itself, but for the tombstone snapshot, which the
   *     ledger fills in
   * @return the newest own record afterwards: {@code record}'s commit-id if it landed, now or in an
   *     earlier attempt, and another's if not
   * @throws UnavailableException if the table could not be reached in all attempts; whether the
   *     commit landed is unknown
   */
  @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record);

  @Override
  void close();
}
