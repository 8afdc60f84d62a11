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
    String text = source.sequence();
    Sequence sequence = text == null ? Sequence.NONE : Sequence.parse(text);
    long lsn = lsn(source.lsn(), sequence);
    if (event.snapshotRow()) {
      return new SourcePosition.Snapshot(new Position(lsn, lsn, 0));
    }
    long commit;
    if (source.commitLsn().isEmpty()
        && sequence.lastCommit() == Sequence.ABSENT
        && text != null
        && source.txId().isPresent()) {
      return new SourcePosition.Opening(
          new Position(lsn, lsn, event.totalOrder()), source.txId().getAsLong());
    }
    if (source.commitLsn().isPresent()) {
      commit = nonNegative("source.commit_lsn", source.commitLsn().getAsLong());
    } else if (text == null) {
      throw new Problem("source.sequence is missing" + REMEDY);
    } else {
      commit = sequence.lastCommit() == Sequence.ABSENT ? lsn : sequence.lastCommit();
    }
    return new SourcePosition.Stream(new Position(commit, lsn, event.totalOrder()));
  }

  private static long lsn(OptionalLong own, Sequence sequence) throws Problem {
    if (own.isPresent()) {
      return nonNegative("source.lsn", own.getAsLong());
    }
    // Rows of incremental snapshots carry where the stream stands only here.
    if (sequence.lsn() != Sequence.ABSENT) {
      return sequence.lsn();
    }
    throw new Problem("source.lsn is missing" + REMEDY);
  }

  private static long nonNegative(String field, long number) throws Problem {
    if (number < 0) {
      throw new Problem(field + ": expected an integer of at least 0, found a negative one");
    }
    return number;
  }
}
