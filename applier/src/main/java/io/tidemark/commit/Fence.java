package io.tidemark.commit;

import org.jspecify.annotations.Nullable;

/**
 * Says why a job must not go on with a table, and what to type.
 *
 * @param incarnation the job that stops
 * @param known the last commit that it knows of; null if it knows the table without one
 * @param knownBy the incarnation that made it; null if that is not known
 * @param last the table's newest own record; null if there is none
 */
record Fence(
    String incarnation,
    @Nullable String known,
    @Nullable String knownBy,
    @Nullable CommitRecord last) {
  private static final String WITHOUT_STATE =
      "start without state (./tidemark run -c FILE; on a cluster, submit the job without a savepoint)";

  /**
   * The message.
   *
   * @param lineage what the table's history says of {@code known}
   */
  String message(Lineage lineage) {
    if (known == null || lineage.commit() != null) {
      return ahead(lineage.commit());
    }
    return lineage.complete() ? replaced() : unknown();
  }

  private String ahead(@Nullable CommitRecord found) {
    String by = found == null ? knownBy : found.incarnation();
    return "The table is ahead of this job: "
        + itsLast()
        + ", made after "
        + (known == null ? "the empty table" : commit(known, by))
        + ", the last that this job (incarnation "
        + incarnation
        + ") knows. Another job writes this table, or an older savepoint was restored. This job stops;"
        + " nothing is lost. Stop the other job if there is one, and "
        + WITHOUT_STATE
        + ": it goes on from the table's record";
  }

  private String replaced() {
    return "The table's history does not hold "
        + commit(String.valueOf(known), knownBy)
        + ", the last that this job (incarnation "
        + incarnation
        + ") knows; "
        + itsLast()
        + ". The table was rolled back, or dropped and created anew. This job stops; it has changed"
        + " nothing. If the table is meant to be like that, "
        + WITHOUT_STATE
        + ": it reads again what the table's record does not cover. If not, bring back the snapshot of"
        + " that commit and start again";
  }

  private String unknown() {
    return "The table went on without this job: "
        + itsLast()
        + ". Whether it builds on "
        + commit(String.valueOf(known), knownBy)
        + ", the last that this job (incarnation "
        + incarnation
        + ") knows, cannot be seen any more: older snapshots were expired. Another job writes this"
        + " table, an older savepoint was restored, or the table was rolled back. This job stops;"
        + " nothing is lost. Stop the other job if there is one, and "
        + WITHOUT_STATE
        + ": it goes on from the table's record";
  }

  private String itsLast() {
    return last == null
        ? "it has no commit of Tidemark"
        : "its last commit is "
            + commit(last.commitId(), last.incarnation())
            + " (its checkpoint "
            + last.checkpoint()
            + ")";
  }

  private static String commit(String id, @Nullable String by) {
    return by == null ? id : id + " by incarnation " + by;
  }
}
