package io.tidemark.commit;

import io.tidemark.failure.RefusedException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Commit records as the properties of a snapshot's summary, and back without loss. Absent
 * properties mean null or nothing; unknown ones are ignored, so that later versions may add some.
 */
public final class RecordCodec {
  /** Begins every own property. */
  public static final String PREFIX = "tidemark.";

  /** The commit's identity; on every snapshot of a commit. */
  public static final String COMMIT_ID = PREFIX + "commit-id";

  /** On the snapshots of a commit before its last: they lie on no offset boundary. */
  public static final String PARTIAL = PREFIX + "partial";

  /** The tombstone table's snapshot; there, the one that a commit builds on. */
  public static final String TOMBSTONE_SNAPSHOT = PREFIX + "tombstone-snapshot";

  /**
   * On the commit of a repair: the snapshot that was compared with the log, key by key, and that
   * rows of others may lie in or below.
   */
  public static final String ACCEPTED_SNAPSHOT = PREFIX + "accepted-snapshot";

  private static final String PARENT = PREFIX + "parent";
  private static final String INCARNATION = PREFIX + "incarnation";
  private static final String CHECKPOINT = PREFIX + "checkpoint";
  private static final String OFFSETS = PREFIX + "offsets";
  private static final String ORIGIN = PREFIX + "origin";
  private static final String HIGH_WATER = PREFIX + "high-water";
  private static final String TOPIC_IDS = PREFIX + "topic-ids";
  private static final String GAPS = PREFIX + "gaps";
  private static final String LAST_RECORDS = PREFIX + "last-records";
  private static final String GENERATIONS = PREFIX + "generations";
  private static final String EPOCHS = PREFIX + "epochs";
  private static final String MAX_VERSION = PREFIX + "max-version";
  private static final String MAX_SOURCE_TS_MS = PREFIX + "max-source-ts-ms";
  private static final String MAX_SOURCE_TS_US = PREFIX + "max-source-ts-us";
  private static final String UPSERTS = PREFIX + "upserts";
  private static final String DELETES = PREFIX + "deletes";
  private static final String EQUALITY_DELETES = PREFIX + "equality-deletes";
  private static final String ROWS = PREFIX + "rows";
  private static final String ROWS_DIGEST = PREFIX + "rows-digest";

  private static final String HORIZON = PREFIX + "horizon";
  private static final String REPLAY = PREFIX + "replay";

  private static final String NOTHING = "{}";

  private RecordCodec() {}

  /** The properties of a record, in the order of their names. */
  public static Map<String, String> write(CommitRecord record) {
    Map<String, String> summary = new TreeMap<>();
    summary.put(COMMIT_ID, record.commitId());
    if (record.parent() != null) {
      summary.put(PARENT, record.parent());
    }
    summary.put(INCARNATION, record.incarnation());
    summary.put(CHECKPOINT, Long.toString(record.checkpoint()));
    ProgressJson progress = ProgressJson.of(record.progress());
    summary.put(OFFSETS, progress.offsets());
    summary.put(ORIGIN, progress.origin());
    summary.put(HIGH_WATER, progress.highWater());
    summary.put(GENERATIONS, progress.generations());
    if (!progress.epochs().equals(NOTHING)) {
      summary.put(EPOCHS, progress.epochs());
    }
    if (!record.progress().topicIds().isEmpty()) {
      summary.put(TOPIC_IDS, progress.topicIds());
    }
    if (!record.progress().gaps().isEmpty()) {
      summary.put(GAPS, progress.gaps());
    }
    if (!record.progress().lastRecords().isEmpty()) {
      summary.put(LAST_RECORDS, LastRecordsJson.write(record.progress().lastRecords()));
    }
    BatchStats stats = record.stats();
    summary.put(UPSERTS, Long.toString(stats.upserts()));
    summary.put(DELETES, Long.toString(stats.deletes()));
    summary.put(EQUALITY_DELETES, Long.toString(stats.equalityDeletes()));
    if (stats.maxVersion() != null) {
      summary.put(MAX_VERSION, stats.maxVersion());
    }
    if (stats.maxSourceTimeMicros() != Long.MIN_VALUE) {
      // Milliseconds for people and monitoring, microseconds so that nothing is lost.
      summary.put(
          MAX_SOURCE_TS_MS, Long.toString(Math.floorDiv(stats.maxSourceTimeMicros(), 1000L)));
      summary.put(MAX_SOURCE_TS_US, Long.toString(stats.maxSourceTimeMicros()));
    }
    if (stats.live() != null) {
      summary.put(ROWS, Long.toString(stats.live().count()));
      summary.put(ROWS_DIGEST, stats.live().digestText());
    }
    if (record.tombstoneSnapshot() != null) {
      summary.put(TOMBSTONE_SNAPSHOT, Long.toString(record.tombstoneSnapshot()));
    }
    if (record.horizon() != null) {
      summary.put(HORIZON, record.horizon().toString());
    }
    if (!record.replay().isEmpty()) {
      summary.put(REPLAY, ProgressJson.offsets(record.replay()));
    }
    return summary;
  }

  /** Whether a snapshot with this summary carries a record. */
  public static boolean isRecord(Map<String, String> summary) {
    return summary.containsKey(COMMIT_ID) && !summary.containsKey(PARTIAL);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws RefusedException if a property is missing or cannot be read, with its name
   */
  public static CommitRecord read(Map<String, String> summary) {
    Long sourceTime = optionalNumber(summary, MAX_SOURCE_TS_US);
    return new CommitRecord(
        text(summary, COMMIT_ID),
        summary.get(PARENT),
        text(summary, INCARNATION),
        number(summary, CHECKPOINT),
        new ProgressJson(
                text(summary, OFFSETS),
                text(summary, ORIGIN),
                text(summary, HIGH_WATER),
                text(summary, GENERATIONS),
                summary.getOrDefault(EPOCHS, NOTHING),
                summary.getOrDefault(TOPIC_IDS, NOTHING),
                summary.getOrDefault(GAPS, NOTHING))
            .parse()
            .withLastRecords(
                LastRecordsJson.read(LAST_RECORDS, summary.getOrDefault(LAST_RECORDS, NOTHING))),
        new BatchStats(
            number(summary, UPSERTS),
            number(summary, DELETES),
            number(summary, EQUALITY_DELETES),
            summary.get(MAX_VERSION),
            sourceTime == null ? Long.MIN_VALUE : sourceTime,
            liveRows(summary)),
        optionalNumber(summary, TOMBSTONE_SNAPSHOT),
        date(summary, HORIZON),
        ProgressJson.parseOffsets("replay", summary.getOrDefault(REPLAY, NOTHING)));
  }

  private static @Nullable LiveRows liveRows(Map<String, String> summary) {
    Long rows = optionalNumber(summary, ROWS);
    if (rows == null) {
      return null;
    }
    String digest = text(summary, ROWS_DIGEST);
    try {
      return new LiveRows(rows, Long.parseUnsignedLong(digest, 16));
    } catch (NumberFormatException e) {
      throw RefusedException.damagedRecord(
          "The commit record's "
              + ROWS_DIGEST
              + " must be 16 hexadecimal digits, got \""
              + digest
              + "\"");
    }
  }

  private static @Nullable LocalDate date(Map<String, String> summary, String key) {
    String value = summary.get(key);
    try {
      return value == null ? null : LocalDate.parse(value);
    } catch (DateTimeParseException e) {
      throw RefusedException.damagedRecord(
          "The commit record's " + key + " must be a date, got \"" + value + "\"");
    }
  }

  private static String text(Map<String, String> summary, String key) {
    String value = summary.get(key);
    if (value == null) {
      throw RefusedException.damagedRecord("The commit record lacks " + key);
    }
    return value;
  }

  private static long number(Map<String, String> summary, String key) {
    return parse(key, text(summary, key));
  }

  private static @Nullable Long optionalNumber(Map<String, String> summary, String key) {
    String value = summary.get(key);
    return value == null ? null : Long.valueOf(parse(key, value));
  }

  private static long parse(String key, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw RefusedException.damagedRecord(
          "The commit record's " + key + " must be a number, got \"" + value + "\"");
    }
  }
}
