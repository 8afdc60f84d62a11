package io.tidemark.recovery;

import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** A Hadoop catalog on which somebody else is faster: once, right before a commit. */
public final class CommittedBeside extends HadoopCatalog {
  /** What is done then, by another catalog. */
  static final AtomicReference<Callable<?>> NEXT = new AtomicReference<>();

  @Override
  protected TableOperations newTableOps(TableIdentifier identifier) {
    return new Late(super.newTableOps(identifier));
  }

  private record Late(TableOperations real) implements TableOperations {
    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      Callable<?> next = NEXT.getAndSet(null);
      if (next != null) {
        try {
          next.call();
        } catch (Exception e) {
          throw new AssertionError(e);
        }
      }
      real.commit(base, metadata);
    }

    @Override
    public TableMetadata current() {
      return real.current();
    }

    @Override
    public TableMetadata refresh() {
      return real.refresh();
    }

    @Override
    public FileIO io() {
      return real.io();
    }

    @Override
    public EncryptionManager encryption() {
      return real.encryption();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      return real.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
      return real.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
      return real.temp(uncommitted);
    }
  }
}
