package io.tidemark.iceberg;

import io.tidemark.config.CatalogSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.RuntimeIOException;
import org.jspecify.annotations.Nullable;

/** A catalog that fails before, after and instead of commits, as a seed says. */
final class FaultyTables implements LedgerTables {
  private static final Map<String, LongAdder> HAPPENED = new ConcurrentHashMap<>();

  private final OpenCatalog catalog;
  private final Table main;
  private final Table tombstones;

  FaultyTables(CatalogSettings settings, Random random) {
    this(settings, random, table -> {});
  }

  /**
   * A catalog that fails.
   *
   * @param others what they do to the table between the read of a commit and its swap, besides
   *     maintenance
   */
  FaultyTables(CatalogSettings settings, Random random, Consumer<Table> others) {
    catalog = OpenCatalog.open(settings);
    main = faulty(() -> catalog.table(Orders.TABLE), random, others);
    tombstones = faulty(() -> catalog.tombstoneTable(Orders.TABLE), random, table -> {});
  }

  private static Table faulty(Supplier<Table> loaded, Random random, Consumer<Table> others) {
    Table table = loaded.get();
    Operations operations =
        new Operations(((HasTableOperations) table).operations(), random) {
          @Override
          void betweenReadAndSwap() {
            maintain(loaded.get(), random);
            others.accept(loaded.get());
          }
        };
    return GuardedOperations.guard(new BaseTable(operations, table.name()));
  }

  /** Somebody's maintenance lands after the committer has read the table and before it swaps. */
  private static void maintain(Table table, Random random) {
    int dice = random.nextInt(24);
    if (dice > 1 || table.currentSnapshot() == null) {
      return;
    }
    try {
      if (dice == 0) {
        happens("compaction between read and swap");
        Compaction.run(table);
      } else {
        happens("expiry between read and swap");
        Compaction.expire(table);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By kind how often something was done wrong, in all tests of this process. */
  static Map<String, Long> happened() {
    Map<String, Long> happened = new TreeMap<>();
    HAPPENED.forEach((kind, times) -> happened.put(kind, times.sum()));
    return happened;
  }

  static void happens(String kind) {
    HAPPENED.computeIfAbsent(kind, k -> new LongAdder()).increment();
  }

  @Override
  public Table main() {
    return main;
  }

  @Override
  public Table tombstones() {
    return tombstones;
  }

  @Override
  public void close() {
    catalog.close();
  }

  /** What can become of a commit. */
  enum Fault {
    FAILS,
    LANDS_AND_SAYS_FAILED,
    IS_LOST_AND_UNKNOWN,
    LANDS_AND_IS_UNKNOWN,
    BREAKS_BEFORE,
    LANDS_AND_BREAKS,
    LANDS_LATER
  }

  /** One table's operations, with faults. */
  static class Operations extends ForwardingOperations {
    private final Random random;
    private @Nullable Runnable late;

    Operations(TableOperations real, Random random) {
      super(real);
      this.random = random;
    }

    @Override
    public TableMetadata refresh() {
      int dice = random.nextInt(10);
      if (dice == 0) {
        happens("no answer to a read");
        throw new RuntimeIOException(new IOException("the catalog does not answer"));
      }
      if (dice == 1) {
        happens("stale read");
        return real.current();
      }
      if (late != null && random.nextBoolean()) {
        landLate();
      }
      return real.refresh();
    }

    /** What others do to the table at that moment. */
    void betweenReadAndSwap() {}

    @Override
    public void commit(TableMetadata base, TableMetadata metadata) {
      betweenReadAndSwap();
      if (random.nextInt(5) < 2) {
        real.commit(base, metadata);
        return;
      }
      commit(base, metadata, Fault.values()[random.nextInt(Fault.values().length)]);
    }

    void commit(TableMetadata base, TableMetadata metadata, Fault fault) {
      happens("commit " + fault.name().toLowerCase(Locale.ROOT).replace('_', ' '));
      switch (fault) {
        case FAILS -> throw new CommitFailedException("somebody was faster");
        case LANDS_AND_SAYS_FAILED -> {
          real.commit(base, metadata);
          throw new CommitFailedException("the answer to the first request was lost");
        }
        case IS_LOST_AND_UNKNOWN -> throw unknown();
        case LANDS_AND_IS_UNKNOWN -> {
          real.commit(base, metadata);
          throw unknown();
        }
        case BREAKS_BEFORE -> throw new RuntimeIOException(new IOException("refused"));
        case LANDS_AND_BREAKS -> {
          real.commit(base, metadata);
          throw new RuntimeIOException(new IOException("broken pipe"));
        }
        case LANDS_LATER -> {
          late = () -> real.commit(base, metadata);
          throw unknown();
        }
      }
    }

    private void landLate() {
      Runnable commit = late;
      late = null;
      try {
        if (commit != null) {
          commit.run();
        }
      } catch (RuntimeException e) {
        return; // the table moved on
      }
    }

    private static CommitStateUnknownException unknown() {
      return new CommitStateUnknownException(new IOException("timed out"));
    }
  }
}
