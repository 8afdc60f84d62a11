package io.tidemark.iceberg;

import io.tidemark.commit.UnavailableException;
import java.util.Objects;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * Does not believe a failed commit, nor a table that went back in time.
 *
 * <p>After a {@link CleanableFailure}, such as a failed commit or a refused one, the library
 * deletes the manifests of the attempt. Some catalogs throw it for a commit that they made
 * (apache/iceberg#14583), or for a request that was sent again after they had made it, and then the
 * deletion makes the table unreadable. So the table is asked before the exception goes on. Only an
 * answer that is newer than the base of the attempt, and has no snapshot of it, says that it
 * failed. If the snapshot is there, or nobody can say, the outcome is unknown, and the library then
 * deletes nothing.
 *
 * <p>A catalog with a cache may answer with an older state than before, which looks like a table
 * that was rolled back. But a rollback leaves the last sequence number of a table as it is, as
 * everything does. A lower one is no answer: it is asked again, by whoever tries again.
 */
final class GuardedOperations extends ForwardingOperations {
  private final String name;
  private @Nullable Sighting last;

  private GuardedOperations(TableOperations guarded, String name, @Nullable Sighting last) {
    super(guarded);
    this.name = name;
    this.last = last;
  }

  static Table guard(Table table) {
    return guard(table, null);
  }

  /**
   * Guards a table.
   *
   * @param seen what another catalog client has seen of it; null for nothing
   */
  static Table guard(Table table, @Nullable Sighting seen) {
    return new BaseTable(
        new GuardedOperations(((HasTableOperations) table).operations(), table.name(), seen),
        table.name());
  }

  @Override
  public TableMetadata refresh() {
    TableMetadata now = real.refresh();
    Sighting before = last;
    if (before != null
        && Objects.equals(now.uuid(), before.uuid())
        && now.lastSequenceNumber() < before.sequenceNumber()) {
      throw new UnavailableException(
          "The catalog answered with an old state of table "
              + name
              + ": its last sequence number is "
              + now.lastSequenceNumber()
              + ", and was "
              + before.sequenceNumber()
              + " before");
    }
    last = Sighting.of(now);
    return now;
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    try {
      real.commit(base, metadata);
      last = Sighting.of(metadata);
    } catch (RuntimeException e) {
      if (e instanceof CleanableFailure && mayHaveLanded(base, metadata, e)) {
        throw new CommitStateUnknownException(e);
      }
      throw e;
    }
  }

  private boolean mayHaveLanded(
      TableMetadata base, TableMetadata metadata, RuntimeException failure) {
    Snapshot snapshot = metadata.currentSnapshot();
    if (snapshot == null) {
      return false;
    }
    try {
      TableMetadata now = refresh();
      // What follows the base and has no snapshot of ours took the place that ours was to have.
      boolean follows =
          now.previousFiles().stream()
              .anyMatch(entry -> entry.file().equals(base.metadataFileLocation()));
      return !follows || now.snapshot(snapshot.snapshotId()) != null;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return true;
    }
  }
}
