package io.tidemark.iceberg;

import io.tidemark.change.PartitionProgress;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Backoff;
import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.Retention;
import io.tidemark.commit.TableChangedException;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.failure.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.BadRequestException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotAuthorizedException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of one Iceberg table.
 *
 * <p>Each attempt begins by reading the table: its newest own record alone tells whether a commit
 * is still to be made, already there, or not to be made by this job any more. So it does not matter
 * how an earlier attempt ended: every failure is an unknown outcome, nothing is deleted after it,
 * and the next round settles it. A catalog that refuses round after round has answered: the job
 * stops, and still nothing is deleted. Not thread-safe.
 */
class IcebergLedger implements TableLedger {
  private static final Logger LOG = LoggerFactory.getLogger(IcebergLedger.class);
  static final String MEND =
      ". Stop that writer. Where Kafka still has the whole log, ./tidemark verify -c FILE --repair"
          + " compares every key and accepts what is right; otherwise bring the table back to the"
          + " snapshot of that commit. Then run again";

  /** What follows from {@link OwnHistory#unseen()}. */
  static final String UNSEEN =
      "were expired. If somebody else wrote rows in them, no snapshot tells it any more:"
          + " ./tidemark verify -c FILE compares every key";

  /** As many refusals in a row are an answer. */
  static final int REFUSALS = 5;

  private final LedgerTables tables;
  private final String identifier;
  private final TableVersion known;
  private final @Nullable Acceptance accepted;
  private final Backoff backoff;

  IcebergLedger(LedgerTables tables, IcebergLedgerFactory settings, Backoff backoff) {
    this.tables = tables;
    this.identifier = settings.identifier();
    this.known = settings.known();
    this.accepted = settings.accepted();
    this.backoff = backoff;
  }

  @Override
  public @Nullable CommitRecord last() {
    return settled(
            () -> {
              OwnHistory history = read();
              refuseForeign(history);
              return history;
            })
        .record();
  }

  @Override
  public Lineage lineage(String commitId) {
    return settled(
        () -> {
          Table table = tables.main();
          table.refresh();
          return OwnHistory.lineage(SnapshotUtil.currentAncestors(table), commitId);
        });
  }

  @Override
  public @Nullable String missing(List<Batch> batches) {
    return settled(() -> Optional.ofNullable(firstMissing(batches))).orElse(null);
  }

  private @Nullable String firstMissing(List<Batch> batches) {
    for (Batch batch : batches) {
      WrittenFiles files = batch.files();
      Table main = tables.main();
      Set<Integer> deletes = FileDescriptions.specIds(files.deletes());
      refuseGone(main, deletes);
      refuseGone(main, FileDescriptions.specIds(files.data()));
      refuseUnreached(main, deletes);
      List<ContentFile<?>> written = new ArrayList<>();
      written.addAll(FileDescriptions.readDeletes(files.deletes(), main.specs()));
      written.addAll(FileDescriptions.readData(files.data(), main.specs()));
      if (!files.tombstones().isEmpty()) {
        written.addAll(FileDescriptions.readData(files.tombstones(), tables.tombstones().specs()));
      }
      for (ContentFile<?> file : written) {
        if (!exists(main, file.location())) {
          return file.location();
        }
      }
    }
    return null;
  }

  /**
   * Each batch deletes rows under all specs that its table had. Another one has come since, and
   * compaction may have moved rows there, beside which the new ones would stand. What is compared
   * with the table before each commit is what the job knows now, and not when it wrote these files.
   */
  private void refuseUnreached(Table table, Set<Integer> deletes) {
    Set<Integer> needed = new TreeSet<>();
    IcebergBatchWriter.deleteSpecs(table).forEach(spec -> needed.add(spec.specId()));
    if (!deletes.isEmpty() && !deletes.containsAll(needed)) {
      throw unfit(
          "deletes rows", deletes, table, "rows that others have moved there since would stay");
    }
  }

  /** An expiry takes away the specs under which nothing lies. */
  private void refuseGone(Table table, Set<Integer> specs) {
    if (!table.specs().keySet().containsAll(specs)) {
      throw unfit("has files", specs, table, "they have no place there");
    }
  }

  private TableChangedException unfit(String what, Set<Integer> specs, Table table, String why) {
    return new TableChangedException(
        "A commit in the state of this job "
            + what
            + " under the partition specs "
            + specs
            + " of table "
            + identifier
            + ", and the table has "
            + new TreeSet<>(table.specs().keySet())
            + " now: "
            + why
            + ". Start without state: it goes on from the table's record and loses nothing");
  }

  private static boolean exists(Table table, String location) {
    try {
      return table.io().newInputFile(location).exists();
    } catch (NotFoundException e) {
      return false; // some find it out earlier
    }
  }

  @Override
  public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
    return settled(() -> attempt(batches, record)).record();
  }

  @Override
  public void close() {
    tables.close();
  }

  /** One attempt at bringing the commit into the table; a test may plant a fault here. */
  MainCommit mainCommit(CommitRecord record) {
    return new MainCommit(record, known, accepted);
  }

  /**
   * From when on tombstones stay: what the parent's record promises, not what {@code record} will,
   * which may never land. A test may plant a fault here.
   */
  long forgottenBefore(CommitRecord parent, CommitRecord record) {
    return Retention.forgottenBefore(Retention.micros(parent.horizon()));
  }

  private OwnHistory attempt(List<Batch> batches, CommitRecord record) {
    OwnHistory history = read();
    boolean landed = record.commitId().equals(history.commitId());
    if (landed || !Objects.equals(history.commitId(), record.parent())) {
      return history;
    }
    refuseForeign(history);
    refuseChanged(tables.main());
    refuseBackwards(history.record(), record);
    CommitRecord complete = withTombstones(batches, record, history.record());
    mainCommit(complete).attempt(AttemptOperations.of(tables.main()), batches);
    return new OwnHistory(complete, null, null);
  }

  private OwnHistory read() {
    Table table = tables.main();
    table.refresh();
    OwnHistory history = OwnHistory.of(table, accepted);
    if (history.unseen() != null) {
      LOG.warn("Snapshots of table {}, {}, {}", identifier, history.unseen(), UNSEEN);
    }
    return history;
  }

  private CommitRecord withTombstones(
      List<Batch> batches, CommitRecord record, @Nullable CommitRecord parent) {
    Long snapshot = parent == null ? null : parent.tombstoneSnapshot();
    if (accepted != null) {
      Table table = tables.tombstones();
      table.refresh();
      TombstoneLog.goBackTo(table, accepted.tombstones());
      snapshot = accepted.tombstones();
    }
    // A commit without tombstones leaves the forgotten days where they are: the next one with
    // tombstones drops them.
    if (batches.stream().anyMatch(batch -> !batch.files().tombstones().isEmpty())) {
      Table table = tables.tombstones();
      table.refresh();
      Map<Integer, PartitionSpec> specs = table.specs();
      List<DataFile> files = new ArrayList<>();
      for (Batch batch : batches) {
        files.addAll(FileDescriptions.readData(batch.files().tombstones(), specs));
      }
      snapshot =
          TombstoneLog.append(
              AttemptOperations.of(table),
              snapshot,
              parent == null ? Retention.NONE : forgottenBefore(parent, record),
              record.commitId(),
              files);
    }
    return record.withTombstones(snapshot);
  }

  private void refuseForeign(OwnHistory history) {
    if (history.foreign() != null) {
      throw new ForeignWriteException(
          "Somebody else wrote to table "
              + identifier
              + ": "
              + history.foreign()
              + (history.record() == null
                  ? ", and it has no commit of Tidemark. Stop that writer and run again"
                  : " after commit " + history.commitId() + MEND));
    }
  }

  private void refuseChanged(Table table) {
    TableVersion now = IcebergTables.versionOf(table);
    if (!now.equals(known)) {
      throw new TableChangedException(
          "Table "
              + identifier
              + " was changed while the job ran: it now has "
              + now
              + ", the job knows "
              + known
              + ". A restart takes the change up");
    }
  }

  private void refuseBackwards(@Nullable CommitRecord parent, CommitRecord record) {
    if (parent == null) {
      return;
    }
    TopicPartition partition = record.progress().wentBackFrom(parent.progress());
    if (partition != null) {
      throw new CommitRefusedException(
          "Commit "
              + record.commitId()
              + " of table "
              + identifier
              + " records "
              + partition
              + " up to "
              + reached(record, partition)
              + ", below "
              + reached(parent, partition)
              + " of commit "
              + parent.commitId()
              + ", on which it builds");
    }
  }

  private static String reached(CommitRecord record, TopicPartition partition) {
    PartitionProgress progress = record.progress().partitions().get(partition);
    if (progress == null) {
      return "nothing";
    }
    int epoch = progress.last().number();
    return "offset " + progress.nextOffset() + (epoch == 0 ? "" : " in epoch " + epoch);
  }

  private <T> T settled(Supplier<T> attempt) {
    int refusals = 0;
    for (int failures = 1; ; failures++) {
      try {
        return attempt.get();
      } catch (ForeignWriteException
          | TableChangedException
          | CommitRefusedException
          | RefusedException e) {
        throw e;
      } catch (RuntimeException e) {
        if (failures % REFUSALS == 0) {
          refuseDamaged();
        }
        refusals = isRefusal(e) ? refusals + 1 : 0;
        if (refusals == REFUSALS) {
          throw new CommitRefusedException(
              "Table "
                  + identifier
                  + ": the catalog refuses what is asked of it, "
                  + REFUSALS
                  + " times in a row, the last time with "
                  + e
                  + ". Whether the commit landed is unknown; no file was deleted. Mend what it names"
                  + " (catalog.properties, the rights of who connects, the table), and start again",
              e);
        }
        if (!backoff.await(failures)) {
          throw new UnavailableException(
              "Table "
                  + identifier
                  + " could not be settled in "
                  + failures
                  + " attempts; whether the commit landed is unknown",
              e);
        }
        LOG.warn(
            "Attempt {} at table {} failed, trying again: {}", failures, identifier, e.toString());
      }
    }
  }

  /** An expiry takes files away at any time, but not again and again those of the newest state. */
  private void refuseDamaged() {
    RefusedException refused = null;
    try {
      refused = damage(tables.main());
      if (refused == null) {
        refused = damage(tables.tombstones());
      }
    } catch (RuntimeException e) {
      LOG.warn("Whether table {} is damaged is not known: {}", identifier, e.toString());
    }
    if (refused != null) {
      throw refused;
    }
  }

  private static @Nullable RefusedException damage(Table table) {
    try {
      table.refresh();
    } catch (RuntimeException e) {
      return FileFault.ofMetadata(table.name(), e);
    }
    Snapshot current = table.currentSnapshot();
    return current == null ? null : TableFiles.listRefusal(table, current.snapshotId());
  }

  /**
   * Whether the catalog said no, rather than nothing. Once is no proof: a token may just have run
   * out, and a check may have met another's commit, which the next round sees.
   */
  private static boolean isRefusal(RuntimeException failure) {
    Throwable e = failure instanceof CommitStateUnknownException ? failure.getCause() : failure;
    return e instanceof NotAuthorizedException
        || e instanceof ForbiddenException
        || e instanceof BadRequestException
        || e instanceof NoSuchTableException
        || e instanceof ValidationException;
  }
}
