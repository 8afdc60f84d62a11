package io.tidemark.cli.check;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.CatalogSettings;
import io.tidemark.config.ConfigException;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.CatalogWords;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.iceberg.TableFacts;
import io.tidemark.iceberg.TableMismatchException;
import io.tidemark.iceberg.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;
import org.jspecify.annotations.Nullable;

/** A catalog behind Iceberg's own client. */
public final class OpenCatalogView implements CatalogView {
  private static final int MAX_DEPTH = 4;
  private static final String TOMBSTONES = "__tombstones";

  private final CatalogSettings settings;
  private final String where;
  private final Bounded bounded;
  private final IcebergTables tables;

  private OpenCatalogView(
      CatalogSettings settings, String where, Bounded bounded, IcebergTables tables) {
    this.settings = settings;
    this.where = where;
    this.bounded = bounded;
    this.tables = tables;
  }

  /**
   * Connects.
   *
   * @param timeout how long one question may take
   * @throws ConfigException if Iceberg does not take the catalog's properties
   * @throws UnavailableException if the catalog does not answer
   */
  public static OpenCatalogView open(CatalogSettings settings, Duration timeout) {
    String where = "catalog " + settings.name() + " (catalog.properties)";
    Bounded bounded = new Bounded(where, timeout);
    IcebergTables tables = ask(bounded, where, () -> IcebergTables.open(settings));
    return new OpenCatalogView(settings, where, bounded, tables);
  }

  @Override
  public List<String> tables() {
    return ask(
        () -> {
          Catalog catalog =
              CatalogUtil.buildIcebergCatalog(
                  settings.name(), settings.properties(), new Configuration());
          List<String> names = new ArrayList<>();
          try {
            list(catalog, Namespace.empty(), names);
          } finally {
            if (catalog instanceof AutoCloseable closeable) {
              closeable.close();
            }
          }
          return names.stream().filter(name -> !name.endsWith(TOMBSTONES)).sorted().toList();
        });
  }

  private static void list(Catalog catalog, Namespace namespace, List<String> names) {
    try {
      if (!namespace.isEmpty()) {
        catalog.listTables(namespace).forEach(table -> names.add(table.toString()));
      }
      if (catalog instanceof SupportsNamespaces namespaces && namespace.length() < MAX_DEPTH) {
        namespaces.listNamespaces(namespace).forEach(inner -> list(catalog, inner, names));
      }
    } catch (NoSuchNamespaceException e) {
      // A warehouse directory that is not there yet, or a namespace that was dropped meanwhile.
      return;
    }
  }

  @Override
  public TableState state(String table) {
    return ask(() -> tables.state(table));
  }

  @Override
  public TableDescription describe(String table) {
    return ask(() -> tables.describe(table));
  }

  @Override
  public List<String> mismatches(TableDefinition wanted) {
    return ask(() -> tables.mismatches(wanted));
  }

  @Override
  public @Nullable CommitRecord record(String table) {
    List<CommitRecord> record =
        ask(
            () -> {
              if (tables.state(table) != TableState.HAS_RECORD) {
                return List.of();
              }
              IcebergLedgerFactory ledgers =
                  new IcebergLedgerFactory(settings, table, tables.describe(table).version(), null);
              try (TableLedger ledger = ledgers.open(failures -> false)) {
                CommitRecord last = ledger.last();
                return last == null ? List.of() : List.of(last);
              }
            });
    return record.isEmpty() ? null : record.get(0);
  }

  @Override
  public void requireTombstones(String table, CommitRecord record) {
    ask(
        () -> {
          tables.requireTombstones(table, record.tombstoneSnapshot());
          return true;
        });
  }

  @Override
  public @Nullable TableFacts facts(String table) {
    List<TableFacts> facts =
        ask(
            () ->
                tables.state(table) == TableState.ABSENT
                    ? List.of()
                    : List.of(tables.facts(table)));
    return facts.isEmpty() ? null : facts.get(0);
  }

  @Override
  public @Nullable Long changedSince(String table, @Nullable String commitId) {
    return ask(() -> Optional.ofNullable(tables.changedSince(table, commitId))).orElse(null);
  }

  @Override
  public void close() {
    try {
      bounded.call(
          () -> {
            tables.close();
            return true;
          });
    } catch (UnavailableException e) {
      // A catalog that does not even answer a goodbye has been reported before.
    } finally {
      bounded.close();
    }
  }

  private <T> T ask(Callable<T> question) {
    return ask(bounded, where, question);
  }

  private static <T> T ask(Bounded bounded, String where, Callable<T> question) {
    try {
      return bounded.call(question);
    } catch (UnavailableException
        | ForeignWriteException
        | CommitRefusedException
        | RefusedException
        | ConfigException
        | TableMismatchException e) {
      throw e; // no failure of the catalog
    } catch (RuntimeException e) {
      throw new UnavailableException(where + ": " + CatalogWords.of(e), e);
    }
  }
}
