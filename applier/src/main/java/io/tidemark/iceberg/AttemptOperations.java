package io.tidemark.iceberg;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.jspecify.annotations.Nullable;

/**
 * The table of one attempt at a commit: it stays what it was when it was first asked for.
 *
 * <p>Where the table has moved, the library applies the updates of a transaction again, with what
 * they know from the first time. A second snapshot of a transaction then lists the manifests of the
 * first one with the sequence numbers of the first time ({@code SnapshotProducer} keeps manifests
 * by their path, Iceberg 1.11.0). After a compaction in between these are too low: equality deletes
 * do not reach the rows that they delete, and others reach rows that came after them. So nothing is
 * applied again. The catalog refuses what is not based on the newest state, and the next attempt
 * begins with a transaction of its own.
 */
final class AttemptOperations extends ForwardingOperations {
  private @Nullable TableMetadata base;

  private AttemptOperations(TableOperations real) {
    super(real);
  }

  /** The table for one transaction. */
  static Table of(Table table) {
    return new BaseTable(
        new AttemptOperations(((HasTableOperations) table).operations()), table.name());
  }

  @Override
  public TableMetadata current() {
    return base == null ? refresh() : base;
  }

  @Override
  public TableMetadata refresh() {
    TableMetadata first = base;
    if (first == null) {
      first = real.refresh();
      base = first;
    }
    return first;
  }

  @Override
  public void commit(TableMetadata from, TableMetadata to) {
    try {
      real.commit(from, to);
      base = to; // the library looks there for what it must not clean up
    } catch (CommitFailedException e) {
      throw new Overtaken(e); // which the library does not try again
    }
  }

  /** Somebody else changed the table first. Nothing of the attempt is in it. */
  static final class Overtaken extends RuntimeException implements CleanableFailure {
    private static final long serialVersionUID = 1L;

    private Overtaken(CommitFailedException cause) {
      super(cause.getMessage(), cause);
    }
  }
}
