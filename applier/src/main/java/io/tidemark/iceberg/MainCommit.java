package io.tidemark.iceberg;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.RecordPointer;
import io.tidemark.commit.WrittenFiles;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to bring a commit into the table: a compare-and-swap on the newest own record.
 *
 * <p>Each batch is a snapshot of its own, because an equality delete removes rows of lower sequence
 * numbers only. Only the last carries the record. All of them and the pointer are one transaction,
 * so a reader sees none or all.
 */
class MainCommit {
  private final CommitRecord record;
  private final TableVersion known;
  private final @Nullable Acceptance accepted;

  /**
   * An attempt.
   *
   * @param accepted what others wrote and it may build on; null for nothing
   */
  MainCommit(CommitRecord record, TableVersion known, @Nullable Acceptance accepted) {
    this.record = record;
    this.known = known;
    this.accepted = accepted;
  }

  void attempt(Table table, List<Batch> batches) {
    Transaction tx = table.newTransaction();
    Map<Integer, PartitionSpec> specs = tx.table().specs();
    Map<String, String> summary = new TreeMap<>(RecordCodec.write(record));
    boolean checked = false;
    if (accepted != null) {
      summary.put(RecordCodec.ACCEPTED_SNAPSHOT, Long.toString(accepted.snapshot()));
      checked = DoubledFiles.referToOnce(tx, accepted, partial(), new Unmoved(tx));
    }
    List<WrittenFiles> steps = steps(batches);
    if (steps.isEmpty()) {
      // An append, because streaming readers skip or reject an empty overwrite.
      AppendFiles empty = tx.newFastAppend();
      summary.forEach(empty::set);
      if (!checked) {
        empty.validateWith(new Unmoved(tx));
      }
      empty.commit();
    }
    for (int i = 0; i < steps.size(); i++) {
      RowDelta delta = tx.newRowDelta();
      FileDescriptions.readData(steps.get(i).data(), specs).forEach(delta::addRows);
      FileDescriptions.readDeletes(steps.get(i).deletes(), specs).forEach(delta::addDeletes);
      stamp(delta, i + 1 < steps.size() ? partial() : summary);
      if (i == 0 && !checked) {
        delta.validateWith(new Unmoved(tx)); // it is applied first, and so checks for all
      }
      delta.commit();
    }
    Snapshot last = tx.table().currentSnapshot();
    RecordPointer pointer =
        new RecordPointer(last.snapshotId(), last.sequenceNumber(), new TreeMap<>(summary));
    tx.updateProperties().set(RecordPointer.PROPERTY, pointer.toJson()).commit();
    TableFiles.requireSources(table, table.currentSnapshot(), tx.table());
    tx.commitTransaction();
  }

  /** What each snapshot is to add, in order. */
  List<WrittenFiles> steps(List<Batch> batches) {
    return batches.stream()
        .map(Batch::files)
        .filter(files -> !files.data().isEmpty() || !files.deletes().isEmpty())
        .toList();
  }

  private Map<String, String> partial() {
    Map<String, String> summary = new TreeMap<>();
    summary.put(RecordCodec.COMMIT_ID, record.commitId());
    summary.put(RecordCodec.PARTIAL, "true");
    return summary;
  }

  private static void stamp(SnapshotUpdate<?> update, Map<String, String> summary) {
    summary.forEach(update::set);
  }

  /**
   * Whether the table is still what the attempt was decided on. Called on every apply, with the
   * base as it is then.
   */
  private final class Unmoved implements SnapshotAncestryValidator {
    private final Transaction tx;

    private Unmoved(Transaction tx) {
      this.tx = tx;
    }

    @Override
    public boolean validate(Iterable<Snapshot> ancestry) {
      for (Snapshot snapshot : ancestry) {
        if (record.commitId().equals(OwnHistory.summary(snapshot).get(RecordCodec.COMMIT_ID))) {
          // An earlier attempt landed. Answering false would make the library delete the manifests
          // of that attempt, which are part of the table now.
          throw new CommitStateUnknownException(
              "Commit " + record.commitId() + " is in the table already",
              new IllegalStateException());
        }
      }
      TableMetadata base = ((HasTableOperations) tx.table()).operations().current();
      OwnHistory now = OwnHistory.of(ancestry, base.properties(), base::snapshot, accepted);
      return now.foreign() == null
          && Objects.equals(now.commitId(), record.parent())
          && base.currentSchemaId() == known.schemaId()
          && base.specsById().keySet().equals(known.specIds());
    }

    @Override
    public String errorMessage() {
      return "the table is not any more what commit " + record.commitId() + " builds on";
    }
  }
}
