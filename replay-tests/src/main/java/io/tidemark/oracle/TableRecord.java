package io.tidemark.oracle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a table and the record that holds for it.
 *
 * @param snapshot id of the snapshot
 * @param offsets where the record says that the log was read up to
 * @param origin where it says that the log was read from
 * @param topicIds Kafka's own ids of the topics, as far as the record has them
 * @param ranks of the source's snapshots, as the record has them
 * @param epochs that were begun
 * @param gaps that were accepted
 * @param tombstones id of the tombstone table's snapshot that belongs to it; null for none
 * @param horizon the day from whose start on deleted keys are remembered, and one day more; null if
 *     all are
 * @param replay where a replay began that takes unknown keys for new ones and is not through: until
 *     then there are rows of forgotten keys
 * @param counts what it says of the rows that there are
 * @param foreign what others wrote above the record and up to the snapshot
 */
public record TableRecord(
    long snapshot,
    String commitId,
    Offsets offsets,
    Offsets origin,
    Map<String, String> topicIds,
    Ranks ranks,
    Epochs epochs,
    Gaps gaps,
    @Nullable Long tombstones,
    @Nullable LocalDate horizon,
    Offsets replay,
    Map<String, String> counts,
    List<String> foreign) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POINTER = "tidemark.record";
  private static final String POINTED_SNAPSHOT = "snapshot-id";
  private static final String HORIZON = "tidemark.horizon";
  static final String TOMBSTONES = "tidemark.tombstone-snapshot";
  private static final String[] CHANGED_FILES = {
    "added-data-files", "deleted-data-files", "added-delete-files", "removed-delete-files"
  };

  public TableRecord {
    topicIds = Map.copyOf(topicIds);
    counts = Map.copyOf(counts);
    foreign = List.copyOf(foreign);
  }

  /**
   * Pins a snapshot: later commits change nothing of the answer.
   *
   * @param wanted id of the snapshot; null for the current one
   * @throws IllegalArgumentException if there is none, or no record holds for it
   */
  public static TableRecord of(Table table, @Nullable Long wanted) {
    Snapshot pinned = wanted == null ? table.currentSnapshot() : table.snapshot(wanted);
    if (pinned == null) {
      throw new IllegalArgumentException(
          "Table " + table.name() + " has no snapshot" + (wanted == null ? "" : " " + wanted));
    }
    if (summary(pinned).containsKey(TableCheck.PARTIAL)) {
      throw new IllegalArgumentException(
          "Snapshot "
              + pinned.snapshotId()
              + " of table "
              + table.name()
              + " is only the first part of a commit and stands for no place in the log");
    }
    List<String> foreign = new ArrayList<>();
    Snapshot oldest = pinned;
    for (Snapshot snapshot :
        SnapshotUtil.ancestorsOf(pinned.snapshotId(), id -> table.snapshot(id))) {
      if (TableCheck.isRecorded(snapshot)) {
        return read(pinned.snapshotId(), snapshot.summary(), foreign);
      }
      if (!isHarmless(snapshot)) {
        foreign.add(describe(snapshot));
      }
      oldest = snapshot;
    }
    Map<String, String> pointed = oldest.parentId() == null ? Map.of() : pointer(table);
    // The property says what was written last, whatever snapshot is asked about and is current.
    boolean newer = !pointed.isEmpty() && writtenAt(pointed, table) > oldest.sequenceNumber();
    if (newer && pinned.equals(table.currentSnapshot())) {
      foreign.add(
          "a rollback to " + describe(pinned) + ", made before " + pointed.get(POINTED_SNAPSHOT));
    } else if (newer || pointed.isEmpty()) {
      throw new IllegalArgumentException(
          "Table "
              + table.name()
              + " has no record of Tidemark at snapshot "
              + pinned.snapshotId());
    }
    return read(pinned.snapshotId(), pointed, foreign);
  }

  /** A sequence number; zero if an earlier build wrote the property and the snapshot is gone. */
  private static long writtenAt(Map<String, String> pointed, Table table) {
    Snapshot snapshot =
        table.snapshot(Long.parseLong(pointed.getOrDefault(POINTED_SNAPSHOT, "-1")));
    return snapshot != null
        ? snapshot.sequenceNumber()
        : Long.parseLong(pointed.getOrDefault("sequence-number", "0"));
  }

  /** What others wrote into a table since a snapshot of it; compaction is not writing. */
  static List<String> foreignSince(Table table, long own) {
    List<String> foreign = new ArrayList<>();
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      if (snapshot.snapshotId() == own) {
        return foreign;
      }
      if (!summary(snapshot).containsKey(TableCheck.COMMIT_ID) && !isHarmless(snapshot)) {
        foreign.add(describe(snapshot));
      }
    }
    return foreign;
  }

  private static TableRecord read(
      long snapshot, Map<String, String> summary, List<String> foreign) {
    String tombstones = summary.get(TOMBSTONES);
    return new TableRecord(
        snapshot,
        summary.getOrDefault(TableCheck.COMMIT_ID, ""),
        Offsets.parse(summary.getOrDefault(TableCheck.OFFSETS, "{}")),
        Offsets.parse(summary.getOrDefault("tidemark.origin", "{}")),
        topicIds(summary.getOrDefault("tidemark.topic-ids", "{}")),
        Ranks.parse(
            summary.getOrDefault("tidemark.generations", "{}"),
            summary.getOrDefault("tidemark.epochs", "{}")),
        Epochs.parse(summary.getOrDefault("tidemark.epochs", "{}")),
        Gaps.parse(summary.getOrDefault(TableCheck.GAPS, "{}")),
        tombstones == null ? null : Long.valueOf(tombstones),
        horizon(summary),
        Offsets.parse(summary.getOrDefault("tidemark.replay", "{}")),
        RowCount.of(summary),
        foreign);
  }

  private static Map<String, String> topicIds(String json) {
    try {
      return JSON.readValue(json, new TypeReference<Map<String, String>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Topic ids need a JSON object, got " + json, e);
    }
  }

  static @Nullable LocalDate horizon(Map<String, String> summary) {
    String horizon = summary.get(HORIZON);
    return horizon == null ? null : LocalDate.parse(horizon);
  }

  private static Map<String, String> pointer(Table table) {
    String json = table.properties().get(POINTER);
    try {
      Map<String, String> pointed = new TreeMap<>();
      if (json != null) {
        JSON.readValue(json, new TypeReference<Map<String, JsonNode>>() {})
            .forEach((key, value) -> pointed.put(key, value.asText()));
      }
      return pointed;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "Table " + table.name() + ": its property " + POINTER + " is no JSON", e);
    }
  }

  private static Map<String, String> summary(Snapshot snapshot) {
    return snapshot.operation() == null ? Map.of() : snapshot.summary();
  }

  private static boolean isHarmless(Snapshot snapshot) {
    if (snapshot.operation() == null) {
      return false; // snapshots of old writers say nothing of themselves
    }
    for (String count : CHANGED_FILES) {
      if (!snapshot.summary().getOrDefault(count, "0").equals("0")) {
        return snapshot.operation().equals("replace");
      }
    }
    return true;
  }

  private static String describe(Snapshot snapshot) {
    return "snapshot " + snapshot.snapshotId() + " (" + snapshot.operation() + ")";
  }
}
