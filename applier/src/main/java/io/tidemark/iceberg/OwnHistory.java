package io.tidemark.iceberg;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.RecordCodec;
import io.tidemark.commit.RecordPointer;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongFunction;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * What a table's history says of own commits.
 *
 * @param record the newest own record; null if there is none
 * @param foreign what somebody else did above it, or all that was written if there is no record;
 *     null if nothing
 * @param unseen which snapshots above the record were expired, so that nobody can say any more what
 *     others did in them; null if none
 */
record OwnHistory(
    @Nullable CommitRecord record, @Nullable String foreign, @Nullable String unseen) {

  static OwnHistory of(Table table) {
    return of(table, null);
  }

  /**
   * The same, but what others wrote in or below an accepted snapshot does not count.
   *
   * @param accepted null for none
   */
  static OwnHistory of(Table table, @Nullable Acceptance accepted) {
    return of(SnapshotUtil.currentAncestors(table), table.properties(), table::snapshot, accepted);
  }

  /**
   * Looks for the newest own record: in the ancestry, and where the ancestry was cut off by expiry,
   * in the pointer. A complete ancestry without the pointer's snapshot means that the table was
   * rolled back below it: then the pointer counts for nothing. Nor does it in a table without any
   * snapshot, which somebody emptied: expiry keeps the current one.
   *
   * @param ancestry newest first
   * @param snapshots all that the table still has, by id
   */
  static OwnHistory of(
      Iterable<Snapshot> ancestry,
      Map<String, String> properties,
      LongFunction<@Nullable Snapshot> snapshots,
      @Nullable Acceptance acceptance) {
    String foreign = null;
    Snapshot newest = null;
    Snapshot oldest = null;
    boolean accepted = false;
    for (Snapshot snapshot : ancestry) {
      newest = newest == null ? snapshot : newest;
      accepted |= acceptance != null && acceptance.snapshot() == snapshot.snapshotId();
      Map<String, String> summary = summary(snapshot);
      if (RecordCodec.isRecord(summary)) {
        return new OwnHistory(RecordCodec.read(summary), foreign, null);
      }
      if (foreign == null && !accepted && !isHarmless(snapshot)) {
        foreign = describe(snapshot);
      }
      oldest = snapshot;
    }
    String property = properties.get(RecordPointer.PROPERTY);
    if (newest == null || oldest == null || oldest.parentId() == null || property == null) {
      return new OwnHistory(null, foreign, null);
    }
    RecordPointer pointer = RecordPointer.parse(property);
    CommitRecord record = RecordCodec.read(pointer.summary());
    if (accepted || foreign != null) {
      return new OwnHistory(record, foreign, null);
    }
    // Sequence numbers only rise, also after a rollback: what is older than the record's snapshot
    // does not descend from it, and what the record below was, expiry has taken.
    if (sequenceNumber(pointer, snapshots) > oldest.sequenceNumber()) {
      return new OwnHistory(
          record, "a rollback to " + describe(newest) + ", made before " + named(pointer), null);
    }
    boolean next = oldest.parentId() == pointer.snapshotId();
    return new OwnHistory(
        record,
        null,
        next ? null : "those between " + named(pointer) + " and " + oldest.snapshotId());
  }

  /** Zero if neither the pointer nor the table tells. */
  private static long sequenceNumber(
      RecordPointer pointer, LongFunction<@Nullable Snapshot> snapshots) {
    Snapshot pointed = snapshots.apply(pointer.snapshotId());
    return pointed == null ? pointer.sequenceNumber() : pointed.sequenceNumber();
  }

  private static String named(RecordPointer pointer) {
    return "snapshot " + pointer.snapshotId();
  }

  /**
   * Looks for one commit.
   *
   * @param ancestry newest first
   */
  static Lineage lineage(Iterable<Snapshot> ancestry, String commitId) {
    Snapshot oldest = null;
    for (Snapshot snapshot : ancestry) {
      Map<String, String> summary = summary(snapshot);
      if (RecordCodec.isRecord(summary) && commitId.equals(summary.get(RecordCodec.COMMIT_ID))) {
        return new Lineage(RecordCodec.read(summary), true);
      }
      oldest = snapshot;
    }
    return new Lineage(null, oldest == null || oldest.parentId() == null);
  }

  /**
   * How many rows own commits wrote and keys they deleted since one of them. Each record names the
   * one before it, so it is known whether all of them are there.
   *
   * @param ancestry newest first
   * @param commitId null for all commits
   * @return null if snapshots were expired that would tell
   */
  static @Nullable Long changedSince(Iterable<Snapshot> ancestry, @Nullable String commitId) {
    long changed = 0;
    Snapshot oldest = null;
    for (Snapshot snapshot : ancestry) {
      Map<String, String> summary = summary(snapshot);
      if (RecordCodec.isRecord(summary)) {
        CommitRecord record = RecordCodec.read(summary);
        if (record.commitId().equals(commitId)) {
          return changed;
        }
        changed += record.stats().upserts() + record.stats().deletes();
        if (Objects.equals(record.parent(), commitId)) {
          return changed;
        }
      }
      oldest = snapshot;
    }
    boolean complete = oldest == null || oldest.parentId() == null;
    return commitId == null && complete ? changed : null;
  }

  @Nullable String commitId() {
    return record == null ? null : record.commitId();
  }

  /** Whether a snapshot leaves the table's rows as they were. */
  static boolean isHarmless(Snapshot snapshot) {
    if (DataOperations.REPLACE.equals(snapshot.operation())) {
      return true;
    }
    if (snapshot.operation() == null) {
      return false; // snapshots of old writers say nothing of themselves
    }
    Map<String, String> summary = snapshot.summary();
    return isZero(summary, SnapshotSummary.ADDED_FILES_PROP)
        && isZero(summary, SnapshotSummary.DELETED_FILES_PROP)
        && isZero(summary, SnapshotSummary.ADDED_DELETE_FILES_PROP)
        && isZero(summary, SnapshotSummary.REMOVED_DELETE_FILES_PROP);
  }

  /** The properties of a snapshot, which old writers left out. */
  static Map<String, String> summary(Snapshot snapshot) {
    return snapshot.operation() == null ? Map.of() : snapshot.summary();
  }

  static String describe(Snapshot snapshot) {
    return "snapshot " + snapshot.snapshotId() + " (" + snapshot.operation() + ")";
  }

  private static boolean isZero(Map<String, String> summary, String count) {
    return "0".equals(summary.getOrDefault(count, "0"));
  }
}
