package io.tidemark.debezium.version;

import io.tidemark.change.Position;
import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;
import java.util.OptionalLong;

/**
 * PostgreSQL: (commit, lsn, order in the transaction).
 *
 * <p>A change's LSN alone does not order commits: transactions interleave in the log. Debezium
 * writes the commit LSN of the transaction before ({@code sequence[0]}), which rises from
 * transaction to transaction and is as good as the change's own, which some versions write ({@code
 * commit_lsn}). The first transaction after a snapshot has none before it, and it may have been
 * open for long before the snapshot: its own LSN says nothing of where it stands, only its
 * partition does.
 */
final class PostgresVersion implements VersionReader {
  private static final String REMEDY =
      ". Debezium's PostgreSQL connector writes source.lsn and source.sequence since 1.6: upgrade it,"
          + " leave them in if a transform drops them, or use version: field:<path> or version:"
          + " kafka-offset";

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    SourceBlock source = event.source();
    String text = source.text(SourceBlock.Field.SEQUENCE);
    Sequence sequence = text == null ? Sequence.NONE : Sequence.parse(text);
    long lsn = lsn(source.number(SourceBlock.Field.LSN), sequence);
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(new Position(lsn, lsn, 0));
    }
    long order = event.transaction().totalOrder();
    OptionalLong ownCommit = source.number(SourceBlock.Field.COMMIT_LSN);
    if (ownCommit.isPresent()) {
      long commit = Numbers.nonNegative("source.commit_lsn", ownCommit.getAsLong());
      return comparable(event, new Position(commit, lsn, order));
    }
    if (text == null) {
      throw new Problem("source.sequence is missing" + REMEDY);
    }
    if (sequence.lastCommit() != Sequence.ABSENT) {
      return comparable(event, new Position(sequence.lastCommit(), lsn, order));
    }
    Position own = new Position(lsn, lsn, order);
    OptionalLong transaction = source.number(SourceBlock.Field.TX_ID);
    if (transaction.isEmpty() && event.incremental()) {
      return comparable(event, own); // of no transaction
    }
    return new SourcePosition.Opening(
        own, transaction.isPresent() ? transaction.getAsLong() : null);
  }

  /**
   * A row of an incremental snapshot stands at the start of what follows the last commit: an LSN of
   * its own would put it above a transaction that was open for long and is still to come, whose
   * changes lie below it in the log.
   */
  private static SourcePosition comparable(EventFacts event, Position position) {
    return event.incremental()
        ? new SourcePosition.Incremental(new Position(position.p1(), 0, 0))
        : new SourcePosition.Stream(position);
  }

  private static long lsn(OptionalLong own, Sequence sequence) throws Problem {
    if (own.isPresent()) {
      return Numbers.nonNegative("source.lsn", own.getAsLong());
    }
    // Rows of incremental snapshots carry where the stream stands only here.
    if (sequence.lsn() != Sequence.ABSENT) {
      return sequence.lsn();
    }
    throw new Problem("source.lsn is missing" + REMEDY);
  }
}
