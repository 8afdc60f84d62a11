package io.tidemark.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.Retention;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.CatalogSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.ValidationException;
import org.jspecify.annotations.Nullable;

/**
 * A job that died between the commit of its tombstones and that of the table. What it had sent by
 * then may still arrive.
 */
final class DeadJob {
  private final CommitRecord record;
  private final @Nullable Long pinned;
  private final TableVersion known;
  private final List<Change> changes;
  private final List<WrittenFiles> files;

  private DeadJob(
      CommitRecord record,
      @Nullable Long pinned,
      TableVersion known,
      List<Change> changes,
      List<WrittenFiles> files) {
    this.record = record;
    this.pinned = pinned;
    this.known = known;
    this.changes = changes;
    this.files = files;
  }

  /**
   * Commits the tombstones on a catalog that fails as a seed says, and no more.
   *
   * @param pinned the tombstones of the record on which it builds; null for none
   */
  static DeadJob after(
      CatalogSettings catalog,
      Random random,
      TableVersion known,
      @Nullable Long pinned,
      CommitRecord record,
      List<Change> changes,
      List<WrittenFiles> files) {
    FaultyTables.happens("died between tombstones and table");
    List<CommitRecord> reached = new ArrayList<>();
    try (IcebergLedger ledger =
        new IcebergLedger(
            new FaultyTables(catalog, random),
            new IcebergLedgerFactory(catalog, Orders.TABLE, known, null),
            Replica.AT_ONCE) {
          @Override
          MainCommit mainCommit(CommitRecord complete) {
            reached.add(complete);
            throw new CommitRefusedException("killed");
          }
        }) {
      assertThatThrownBy(() -> ledger.commit(Replica.batches(files), record)).hasMessage("killed");
    }
    return new DeadJob(reached.get(0), pinned, known, changes, files);
  }

  CommitRecord record() {
    return record;
  }

  List<Change> changes() {
    return changes;
  }

  /**
   * The commit of the table arrives.
   *
   * @param last commit-id of the table's record; null for none
   * @return whether it landed
   */
  boolean commitArrives(Table table, @Nullable String last) {
    boolean expected =
        Objects.equals(record.parent(), last) && IcebergTables.versionOf(table).equals(known);
    List<Batch> batches = Replica.batches(files);
    try {
      new MainCommit(record, known, null).attempt(table, batches);
    } catch (ValidationException e) {
      assertThat(expected).as("%s could not land", record).isFalse();
      FaultyTables.happens("commit of a dead job came too late");
      return false;
    }
    assertThat(expected).as("%s landed", record).isTrue();
    FaultyTables.happens("commit of a dead job landed");
    return true;
  }

  /** It was not dead, had read the table long ago, and now commits its tombstones again. */
  void appendsAgain(Table tombstones) {
    List<DataFile> written = new ArrayList<>();
    files.forEach(
        batch -> written.addAll(FileDescriptions.readData(batch.tombstones(), tombstones.specs())));
    if (written.isEmpty()) {
      return;
    }
    try {
      TombstoneLog.append(tombstones, pinned, Retention.NONE, record.commitId(), written);
      FaultyTables.happens("tombstones of a dead job came again");
    } catch (CommitRefusedException e) {
      FaultyTables.happens("tombstones of a dead job found no place");
    }
  }
}
