package io.tidemark.verify;

import io.tidemark.commit.UnavailableException;
import io.tidemark.config.CatalogSettings;
import io.tidemark.oracle.TableRecord;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.jspecify.annotations.Nullable;

/**
 * A table and its tombstone table as they were at one moment. The table is read first, so that the
 * tombstones that its record names are there.
 */
final class PinnedTable implements AutoCloseable {

  private final Catalog catalog;
  private final TableIdentifier identifier;
  private final Table main;
  private final @Nullable Table tombstones;
  private final TableRecord record;
  private final boolean current;

  private PinnedTable(Catalog catalog, TableIdentifier identifier, @Nullable Long snapshot) {
    this.catalog = catalog;
    this.identifier = identifier;
    this.main = catalog.loadTable(identifier);
    this.record = TableRecord.of(main, snapshot);
    this.tombstones = tombstones(catalog, identifier);
    this.current = snapshot == null;
  }

  /**
   * Pins one.
   *
   * @param snapshot its id; null for the current one
   * @throws NoSuchTableException if there is no such table
   * @throws IllegalArgumentException if it has no such snapshot, or no record holds for it
   */
  static PinnedTable open(CatalogSettings settings, String table, @Nullable Long snapshot) {
    Catalog catalog =
        CatalogUtil.buildIcebergCatalog(
            settings.name(), settings.properties(), new Configuration());
    try {
      return new PinnedTable(catalog, TableIdentifier.parse(table), snapshot);
    } catch (RuntimeException e) {
      close(catalog);
      throw e;
    }
  }

  private static @Nullable Table tombstones(Catalog catalog, TableIdentifier table) {
    try {
      return catalog.loadTable(
          TableIdentifier.of(table.namespace(), table.name() + "__tombstones"));
    } catch (NoSuchTableException e) {
      return null;
    }
  }

  Table main() {
    return main;
  }

  @Nullable Table tombstones() {
    return tombstones;
  }

  TableRecord record() {
    return record;
  }

  /** Whether it is the table as it is, which a job would go on from. */
  boolean isCurrent() {
    return current;
  }

  /** What the table's versions are made of. */
  String versionScheme(String otherwise) {
    return main.properties().getOrDefault("tidemark.version-scheme", otherwise);
  }

  /** Whether it had rows before Tidemark kept it. */
  boolean isAdopted() {
    return main.properties().containsKey("tidemark.adopted");
  }

  /** What the table keeps of its columns. */
  @Nullable String columns() {
    return main.properties().get("tidemark.columns");
  }

  /**
   * Tells missing files from those of a snapshot that was expired in the meantime.
   *
   * @throws UnavailableException if it was
   */
  void requireStillThere() {
    Table now = catalog.loadTable(identifier);
    if (now.snapshot(record.snapshot()) == null) {
      throw new UnavailableException(
          "Snapshot "
              + record.snapshot()
              + " of table "
              + identifier
              + " was expired while it was read; run it again, or name a snapshot that stays",
          new IllegalStateException());
    }
  }

  @Override
  public void close() {
    close(catalog);
  }

  private static void close(Catalog catalog) {
    if (catalog instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException e) {
        throw new UncheckedIOException("The catalog could not be closed", e);
      }
    }
  }
}
