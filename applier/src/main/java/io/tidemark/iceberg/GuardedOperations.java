package io.tidemark.iceberg;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * Does not believe a failed commit.
 *
 * <p>After a {@link CommitFailedException} the library deletes the manifests of the attempt. Some
 * catalogs throw it for a commit that they made (apache/iceberg#14583), and then the deletion makes
 * the table unreadable. So the table is asked before the exception goes on: if the snapshot is
 * there, or nobody can say, the outcome is unknown, and the library then deletes nothing.
 */
final class GuardedOperations implements TableOperations {
  private final TableOperations guarded;

  private GuardedOperations(TableOperations guarded) {
    this.guarded = guarded;
  }

  static Table guard(Table table) {
    return new BaseTable(
        new GuardedOperations(((HasTableOperations) table).operations()), table.name());
  }

  @Override
  public TableMetadata current() {
    return guarded.current();
  }

  @Override
  public TableMetadata refresh() {
    return guarded.refresh();
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    try {
      guarded.commit(base, metadata);
    } catch (CommitFailedException e) {
      if (mayHaveLanded(metadata, e)) {
        throw new CommitStateUnknownException(e);
      }
      throw e;
    }
  }

  @Override
  public FileIO io() {
    return guarded.io();
  }

  @Override
  public EncryptionManager encryption() {
    return guarded.encryption();
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return guarded.metadataFileLocation(fileName);
  }

  @Override
  public LocationProvider locationProvider() {
    return guarded.locationProvider();
  }

  @Override
  public TableOperations temp(TableMetadata uncommitted) {
    return guarded.temp(uncommitted);
  }

  @Override
  public long newSnapshotId() {
    return guarded.newSnapshotId();
  }

  @Override
  public boolean requireStrictCleanup() {
    return guarded.requireStrictCleanup();
  }

  private boolean mayHaveLanded(TableMetadata metadata, CommitFailedException failure) {
    Snapshot snapshot = metadata.currentSnapshot();
    if (snapshot == null) {
      return false;
    }
    try {
      return guarded.refresh().snapshot(snapshot.snapshotId()) != null;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return true;
    }
  }
}
