package io.tidemark.job;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.TableLedger;
import io.tidemark.iceberg.IcebergLedgerFactory;
import io.tidemark.iceberg.IcebergTables;
import org.jspecify.annotations.Nullable;

/** Whether others have left a table and its tombstones as its record says. */
final class UntouchedTable {
  private UntouchedTable() {}

  /**
   * Asks before a job begins: its gates and its committer would find out too, in tasks that say it
   * less plainly.
   *
   * @param record the table's; null if it has none yet
   * @throws io.tidemark.commit.ForeignWriteException if somebody else wrote rows
   * @throws io.tidemark.commit.CommitRefusedException if the record's tombstones are gone
   */
  static void require(
      IcebergTables tables,
      String table,
      IcebergLedgerFactory ledgers,
      @Nullable CommitRecord record) {
    try (TableLedger ledger = ledgers.open(Backoffs.commits())) {
      ledger.last();
    }
    if (record != null) {
      tables.requireTombstones(table, record.tombstoneSnapshot());
    }
  }
}
