package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;
import io.tidemark.failure.RefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;

/** A connection to a catalog. */
final class OpenCatalog implements AutoCloseable {
  private static final String TOMBSTONES = "__tombstones";

  /** Parsed once: catalogs are opened often, and reading the defaults takes a tenth of a second. */
  private static final Configuration DEFAULTS = defaults();

  private final Catalog catalog;

  /** Pages of Parquet files have checksums, which readers look at only if they are told to. */
  private static Configuration defaults() {
    Configuration defaults = new Configuration();
    defaults.setBoolean("parquet.page.verify-checksum.enabled", true);
    return defaults;
  }

  private OpenCatalog(Catalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Connects.
   *
   * @throws io.tidemark.config.ConfigException if Iceberg does not take the properties
   */
  static OpenCatalog open(CatalogSettings settings) {
    try {
      return new OpenCatalog(
          CatalogUtil.buildIcebergCatalog(
              settings.name(), settings.properties(), new Configuration(DEFAULTS)));
    } catch (IllegalArgumentException | NullPointerException | UnsupportedOperationException e) {
      // What Iceberg's checks of properties throw; a server that is away is none of them.
      throw CatalogWords.refused(settings, e);
    }
  }

  static TableIdentifier tombstones(TableIdentifier table) {
    return TableIdentifier.of(table.namespace(), table.name() + TOMBSTONES);
  }

  Catalog catalog() {
    return catalog;
  }

  Table table(String identifier) {
    return load(TableIdentifier.parse(identifier));
  }

  Table tombstoneTable(String identifier) {
    return load(tombstones(TableIdentifier.parse(identifier)));
  }

  /**
   * Loads a table.
   *
   * @throws io.tidemark.failure.RefusedException if its metadata file is gone or damaged
   */
  Table load(TableIdentifier table) {
    return told(table, () -> catalog.loadTable(table));
  }

  /** Whether there is such a table; catalogs look into its metadata for that. */
  boolean exists(TableIdentifier table) {
    return told(table, () -> catalog.tableExists(table));
  }

  private static <T> T told(TableIdentifier table, Supplier<T> asked) {
    try {
      return asked.get();
    } catch (RuntimeException e) {
      RefusedException refused = FileFault.ofMetadata(table.toString(), e);
      if (refused != null) {
        throw refused;
      }
      throw e;
    }
  }

  /** Creates the namespace and those above it where they are missing. */
  void createNamespace(Namespace namespace) {
    if (!(catalog instanceof SupportsNamespaces namespaces)) {
      return;
    }
    for (int depth = 1; depth <= namespace.length(); depth++) {
      Namespace part = Namespace.of(Arrays.copyOf(namespace.levels(), depth));
      if (!namespaces.namespaceExists(part)) {
        try {
          namespaces.createNamespace(part);
        } catch (AlreadyExistsException e) {
          continue; // somebody else was faster
        }
      }
    }
  }

  @Override
  public void close() {
    if (catalog instanceof Closeable closeable) {
      try {
        closeable.close();
      } catch (IOException e) {
        throw new UncheckedIOException("The catalog could not be closed", e);
      }
    }
  }
}
