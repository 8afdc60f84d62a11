package io.tidemark.change;

/**
 * The row that a delete removed, where the source says all of it.
 *
 * <p>A delete names its key, and keys are unique when a transaction ends, not all the time: where
 * the source checks them late, {@code SET id = id + 1} puts row 1 under key 2 before it takes row 2
 * away from there. The delete of key 2 comes last and is not of the row that stands.
 *
 * @param contentHash that an upsert of the row would have
 * @param at where the delete lies, for messages
 */
public record RemovedRow(long contentHash, SourceOffset at) {

  /**
   * Whether a delete is of another row than the one that its own transaction has put under the key.
   * Both are then rows that the source streamed, so that what differs is not only how they were
   * read. Rows that are alike cannot be told apart.
   *
   * @param standing the version of what stands at the key, the first number of whose position is
   *     its transaction's
   * @param live whether a row stands there
   * @param standingHash its content hash
   */
  public static boolean isOfAnother(
      Change delete, CommitVersion standing, boolean live, long standingHash) {
    RemovedRow removed = delete.removed();
    return removed != null
        && live
        && standingHash != Change.UNKNOWN_CONTENT
        && standingHash != removed.contentHash
        && isBefore(standing, delete.version());
  }

  /** Whether both are changes of one transaction, this one before the other. */
  private static boolean isBefore(CommitVersion standing, CommitVersion delete) {
    return standing.epoch() == delete.epoch()
        && standing.phase() == CommitVersion.STREAM
        && standing.position().p1() == delete.position().p1()
        && standing.position().p2() != 0 // else a row of an incremental snapshot
        && standing.compareTo(delete) < 0;
  }
}
