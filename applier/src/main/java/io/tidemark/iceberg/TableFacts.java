package io.tidemark.iceberg;

import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.RecordCodec;
import io.tidemark.failure.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * What the metadata of a table says, without a look at its data files.
 *
 * @param formatVersion of Iceberg's table format; null if the catalog does not tell
 * @param specs by id the ways in which its files are partitioned
 * @param defaultSpec id of the one for new files
 * @param current its current snapshot; null if it has none
 * @param commit the newest own commit; null if there is none
 * @param foreign what somebody else did above that; null for nothing
 * @param unseen which snapshots above that were expired, so that nobody can say any more whether
 *     somebody else wrote in them; null for none
 * @param tombstones the snapshot of its tombstones that counts; null if none does
 * @param tombstoneDays on how many days of the source's clock the keys in it were deleted; 0 if
 *     none counts
 */
public record TableFacts(
    @Nullable Integer formatVersion,
    Map<Integer, String> specs,
    int defaultSpec,
    @Nullable SnapshotFacts current,
    @Nullable OwnCommit commit,
    @Nullable String foreign,
    @Nullable String unseen,
    @Nullable SnapshotFacts tombstones,
    int tombstoneDays) {

  public TableFacts {
    specs = Map.copyOf(specs);
  }

  /**
   * An own commit.
   *
   * @param at when its snapshot was made; null if that was expired
   */
  public record OwnCommit(CommitRecord record, @Nullable Instant at) {}

  /**
   * A snapshot, as its summary tells; null where it does not.
   *
   * @param records rows in data files, with those that delete files hide
   * @param bytes of all files
   */
  public record SnapshotFacts(
      long id,
      Instant at,
      @Nullable Long records,
      @Nullable Long dataFiles,
      @Nullable Long deleteFiles,
      @Nullable Long equalityDeletes,
      @Nullable Long positionDeletes,
      @Nullable Long bytes) {

    static SnapshotFacts of(Snapshot snapshot) {
      Map<String, String> summary = OwnHistory.summary(snapshot);
      return new SnapshotFacts(
          snapshot.snapshotId(),
          Instant.ofEpochMilli(snapshot.timestampMillis()),
          total(summary, SnapshotSummary.TOTAL_RECORDS_PROP),
          total(summary, SnapshotSummary.TOTAL_DATA_FILES_PROP),
          total(summary, SnapshotSummary.TOTAL_DELETE_FILES_PROP),
          total(summary, SnapshotSummary.TOTAL_EQ_DELETES_PROP),
          total(summary, SnapshotSummary.TOTAL_POS_DELETES_PROP),
          total(summary, SnapshotSummary.TOTAL_FILE_SIZE_PROP));
    }

    private static @Nullable Long total(Map<String, String> summary, String name) {
      String text = summary.get(name);
      return text == null ? null : Long.valueOf(text);
    }
  }

  /**
   * Looks at a table.
   *
   * @param tombstones null if there is no such table
   */
  static TableFacts of(Table table, @Nullable Table tombstones) {
    OwnHistory history = OwnHistory.of(table);
    Map<Integer, String> specs = new TreeMap<>();
    table.specs().forEach((id, spec) -> specs.put(id, text(spec)));
    CommitRecord record = history.record();
    Snapshot current = table.currentSnapshot();
    Snapshot remembered =
        record == null || tombstones == null
            ? null
            : tombstones(tombstones, record.tombstoneSnapshot());
    return new TableFacts(
        table instanceof HasTableOperations operations
            ? Integer.valueOf(formatVersion(operations))
            : null,
        specs,
        table.spec().specId(),
        current == null ? null : SnapshotFacts.of(current),
        record == null ? null : new OwnCommit(record, at(table, record.commitId())),
        history.foreign(),
        history.unseen(),
        remembered == null ? null : SnapshotFacts.of(remembered),
        remembered == null || tombstones == null ? 0 : days(tombstones, remembered));
  }

  /** Files of tombstones are partitioned by the day; one that is not is passed over. */
  private static int days(Table tombstones, Snapshot snapshot) {
    TableFiles.requireLists(tombstones, snapshot.snapshotId());
    Set<Integer> days = new HashSet<>();
    try (CloseableIterable<FileScanTask> files =
        tombstones.newScan().useSnapshot(snapshot.snapshotId()).planFiles()) {
      for (FileScanTask file : files) {
        if (file.spec().isPartitioned()) {
          days.add(file.file().partition().get(0, Integer.class));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The files of " + tombstones.name() + " could not be listed", e);
    } catch (RuntimeException e) {
      RefusedException refused = TableFiles.listRefusal(tombstones, snapshot.snapshotId());
      if (refused != null) {
        throw refused;
      }
      throw e;
    }
    return days.size();
  }

  private static int formatVersion(HasTableOperations table) {
    TableMetadata metadata = table.operations().current();
    return metadata.formatVersion();
  }

  private static @Nullable Instant at(Table table, String commitId) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      Map<String, String> summary = OwnHistory.summary(snapshot);
      if (RecordCodec.isRecord(summary) && commitId.equals(summary.get(RecordCodec.COMMIT_ID))) {
        return Instant.ofEpochMilli(snapshot.timestampMillis());
      }
    }
    return null;
  }

  /** That of the record, or what a compaction and an expiry by others left of it. */
  private static @Nullable Snapshot tombstones(Table table, @Nullable Long pinned) {
    if (pinned == null) {
      return null;
    }
    Snapshot snapshot = table.snapshot(pinned);
    if (snapshot != null) {
      return snapshot;
    }
    Long kept = KeptTombstones.of(table, pinned);
    return kept == null ? table.currentSnapshot() : table.snapshot(kept);
  }

  /** A spec as the configuration writes it. */
  static String text(PartitionSpec spec) {
    List<String> fields =
        spec.fields().stream()
            .map(
                field -> {
                  String column = String.valueOf(spec.schema().findColumnName(field.sourceId()));
                  String transform = field.transform().toString();
                  if (transform.equals("identity")) {
                    return column;
                  }
                  return transform.endsWith("]")
                      ? transform.replace("[", "(").replace("]", ", " + column + ")")
                      : transform + "(" + column + ")";
                })
            .toList();
    return fields.isEmpty() ? "unpartitioned" : String.join(", ", fields);
  }
}
