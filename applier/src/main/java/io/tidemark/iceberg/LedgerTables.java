package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/** A table and its tombstone table, loaded when they are first asked for. */
interface LedgerTables extends AutoCloseable {

  /** The table, as it was last read. */
  Table main();

  /** Its tombstone table, as it was last read. */
  Table tombstones();

  @Override
  void close();

  /** Loads from a catalog, which may be away at first. */
  final class OfCatalog implements LedgerTables {
    private final CatalogSettings settings;
    private final String identifier;
    private final @Nullable Sighting seen;
    private @Nullable OpenCatalog catalog;
    private @Nullable Table main;
    private @Nullable Table tombstones;

    OfCatalog(CatalogSettings settings, String identifier, @Nullable Sighting seen) {
      this.settings = settings;
      this.identifier = identifier;
      this.seen = seen;
    }

    @Override
    public Table main() {
      Table table = main;
      if (table == null) {
        table = GuardedOperations.guard(catalog().table(identifier), seen);
        main = table;
      }
      return table;
    }

    @Override
    public Table tombstones() {
      Table table = tombstones;
      if (table == null) {
        table = GuardedOperations.guard(catalog().tombstoneTable(identifier));
        tombstones = table;
      }
      return table;
    }

    @Override
    public void close() {
      if (catalog != null) {
        catalog.close();
      }
    }

    private OpenCatalog catalog() {
      OpenCatalog open = catalog;
      if (open == null) {
        open = OpenCatalog.open(settings);
        catalog = open;
      }
      return open;
    }
  }
}
