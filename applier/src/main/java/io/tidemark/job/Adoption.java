package io.tidemark.job;

import io.tidemark.commit.CommitSequence;
import io.tidemark.commit.LiveRows;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.Settings;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.Acceptance;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergSeed;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableDefinition;
import io.tidemark.iceberg.TableDescription;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes a table over that others made and filled: a commit without files, on exactly the snapshot
 * whose keys were read. From then on it is a table like any other.
 */
final class Adoption {
  private final Settings settings;
  private final IcebergTables tables;

  Adoption(Settings settings, IcebergTables tables) {
    this.settings = settings;
    this.tables = tables;
  }

  /** The marks of a table that is not adopted yet. */
  IcebergSeed seed(TableDescription table, String identifier) {
    return IcebergSeed.ofAdopted(settings.catalog(), identifier, table.snapshot());
  }

  /**
   * Does it.
   *
   * @param start where its log begins
   * @throws RefusedException if its rows cannot be kept; nothing was changed then
   * @throws io.tidemark.commit.ForeignWriteException if somebody wrote meanwhile
   */
  void adopt(TableDefinition definition, Progress start) {
    TableDescription read = tables.fitting(definition);
    Long snapshot = read.snapshot();
    if (snapshot == null) {
      throw new RefusedException("Table " + definition.identifier() + " was emptied. Run again");
    }
    LiveRows rows = refuseUnreadableRows(seed(read, definition.identifier()));
    TableDescription table = tables.adopt(definition);
    IcebergLedgerFactory ledgers =
        new IcebergLedgerFactory(
            settings.catalog(),
            definition.identifier(),
            table.version(),
            new Acceptance(snapshot, null, List.of()));
    try (TableLedger ledger = ledgers.open(Backoffs.commits())) {
      CommitSequence commits =
          new CommitSequence(
              ledger,
              "adopt " + UUID.randomUUID(),
              new Retention(settings.tombstones().retentionDays()),
              null);
      commits.found(rows);
      commits.close(0, UUID.randomUUID().toString(), List.of(), start);
      commits.commit(0, true);
    }
  }

  /**
   * Gives the table its identifier fields, if it has none; restartable anywhere. They stay if it is
   * not adopted then.
   *
   * @param fits refuses its columns
   * @throws RefusedException if its rows cannot be kept
   */
  void identify(String identifier, Supplier<Set<String>> key, Consumer<RowShape> fits) {
    if (!tables.isIdentified(identifier)) {
      Set<String> columns = key.get();
      if (!columns.isEmpty()) {
        look(
            identifier,
            () -> {
              tables.identify(identifier, columns, fits);
              return columns;
            });
      }
    }
  }

  /** Before there is a record: after it nobody else may mend the rows. */
  private static LiveRows refuseUnreadableRows(IcebergSeed seed) {
    return look(seed.identifier(), () -> seed.read((key, mark) -> {}));
  }

  private interface Look<T> {
    T at() throws IOException, InterruptedException;
  }

  private static <T> T look(String identifier, Look<T> rows) {
    try {
      return rows.at();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("Interrupted while the rows were read", e);
    } catch (IOException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()), e);
    } catch (RefusedException | IllegalArgumentException e) {
      throw new RefusedException("Table " + identifier + " cannot be adopted: " + e.getMessage());
    }
  }
}
