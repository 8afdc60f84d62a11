package io.tidemark.verify;

import io.tidemark.change.TopicPartition;
import io.tidemark.cli.check.KafkaView;
import io.tidemark.cli.check.KafkaView.OffsetRange;
import io.tidemark.commit.CommitRefusedException;
import io.tidemark.commit.ForeignWriteException;
import io.tidemark.commit.TopicIdentity;
import io.tidemark.commit.UnavailableException;
import io.tidemark.config.ErrorPolicy;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.debezium.OnUnrepresentable;
import io.tidemark.iceberg.FileFault;
import io.tidemark.iceberg.IcebergTables;
import io.tidemark.iceberg.TableFiles;
import io.tidemark.job.Refusals;
import io.tidemark.oracle.ChangeReader;
import io.tidemark.oracle.Damage;
import io.tidemark.oracle.Difference;
import io.tidemark.oracle.Findings;
import io.tidemark.oracle.KeyFold;
import io.tidemark.oracle.LogExtent;
import io.tidemark.oracle.LogFormat;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.OracleOptions;
import io.tidemark.oracle.Place;
import io.tidemark.oracle.PutAside;
import io.tidemark.oracle.Ranks;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.TableRecord;
import io.tidemark.oracle.Verification;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Verifies one table: pins it, folds its log, compares. */
final class TableVerifier {

  /**
   * What was read of a log.
   *
   * @param records offsets that lie in what was read
   * @param changes of rows among the records
   * @param skipped records that could not be understood, where the configuration lets a job go on
   * @param skippedFor what the job says of these, with their number
   * @param refused what the job says of others that it does not apply where it is let go on
   * @param asideUnread records that were put aside and cannot be understood yet
   * @param inGaps records that lie in gaps which somebody accepted
   * @param lost partitions that have lost their beginning, each with what is missing
   */
  record LogSummary(
      List<LogReader.Part> parts,
      long records,
      long changes,
      long skipped,
      List<String> skippedFor,
      Reasons refused,
      long asideUnread,
      long inGaps,
      List<String> lost) {}

  /** All that there is to report. */
  record Outcome(
      TableRecord record,
      LogSummary log,
      PutAside aside,
      Verification.Result result,
      Findings findings) {}

  private final Settings settings;
  private final TableRoute route;
  private final PinnedTable table;
  private final Findings findings;
  private final ProgressLines progress;
  private PutAside aside = new PutAside(Map.of());
  private final LogFormat format;
  private final List<String> lost = new ArrayList<>();
  private long lostBelow;
  private int lostEpochs;

  TableVerifier(
      Settings settings,
      TableRoute route,
      PinnedTable table,
      Findings findings,
      ProgressLines progress) {
    this.settings = settings;
    this.route = route;
    this.table = table;
    this.findings = findings;
    this.progress = progress;
    this.format = MessageForms.of(settings.kafka().messages());
  }

  /**
   * Compares.
   *
   * @param damage takes all that differs
   * @throws io.tidemark.failure.RefusedException if a topic is not the one that the table was made
   *     from
   * @throws UnavailableException if the log cannot be read, or the snapshot expired meanwhile
   */
  Outcome run(KafkaView kafka, LogReader log, Damage damage) {
    TableRecord record = table.record();
    aside = new PutAside(topicIds(kafka, record));
    List<LogReader.Part> parts = parts(kafka, record);
    formerTopic(record);
    long records = parts.stream().mapToLong(part -> part.to() - part.from()).sum();
    readAside(kafka, log);
    aside.leaveOut(record.gaps());
    Schema schema = SnapshotUtil.schemaFor(table.main(), record.snapshot());
    KeyFold fold = new KeyFold(schema, table.main().schema().identifierFieldNames());
    LogFold reading = reading(record, fold, records == 0 ? null : refusals(record));
    progress.say(
        "Folding the log of %s up to the record's offsets: %,d records."
            .formatted(route.table(), records));
    log.records(parts, reading::add, progress.of("Records of the log read", records));
    reading.end();
    progress.say("Comparing %,d keys with snapshot %d.".formatted(fold.size(), record.snapshot()));
    Verification comparison =
        new Verification(
            record,
            fold,
            new LogExtent(lostBelow, lostEpochs, table.isAdopted(), reading.unread()),
            findings,
            damage,
            progress.of("Rows of the table compared"));
    Verification.Result result = compare(comparison, fold);
    if (table.isCurrent()) {
      requireTombstones(record);
    }
    if (findings.count(Difference.FILE_GONE) > 0) {
      table.requireStillThere();
    }
    return new Outcome(
        record,
        new LogSummary(
            parts,
            records,
            reading.changes(),
            reading.skipped(),
            reading.skippedFor(),
            reading.refused(),
            reading.asideUnread(),
            reading.inGaps(),
            List.copyOf(lost)),
        aside,
        result,
        findings);
  }

  /**
   * What a reader throws does not tell whether a file is damaged or the store away, and a list of
   * files that was cut makes it throw nothing: the files are looked at themselves.
   */
  private Verification.Result compare(Verification comparison, KeyFold fold) {
    if (!findDamage(false)) {
      try {
        return comparison.run(table.main(), table.tombstones());
      } catch (RuntimeException e) {
        if (!findDamage(true)) {
          throw e;
        }
      }
    }
    return Verification.unread(fold, "The rows were not all compared: files are not whole.");
  }

  private boolean findDamage(boolean content) {
    TableRecord record = table.record();
    List<FileFault> faults =
        new ArrayList<>(TableFiles.faults(table.main(), record.snapshot(), content));
    Table tombstones = table.tombstones();
    if (tombstones != null && record.tombstones() != null) {
      faults.addAll(TableFiles.faults(tombstones, record.tombstones(), content));
    }
    for (FileFault fault : faults) {
      findings.add(
          fault.found() == null ? Difference.FILE_GONE : Difference.FILE_DAMAGED,
          fault.location() + (fault.found() == null ? "" : ": " + fault.found()));
    }
    return !faults.isEmpty();
  }

  private LogFold reading(TableRecord record, KeyFold fold, @Nullable Refusals refusals) {
    // What was put aside may have come back between two snapshots: only the record knows.
    boolean whole = lost.isEmpty() && aside.isEmpty();
    LogFold reading =
        new LogFold(
            new ChangeReader(options(), whole ? Ranks.NONE : record.ranks(), record.epochs()),
            fold,
            aside,
            refusals,
            record,
            // No values: the exception's message may have some.
            event -> findings.add(Difference.LOG, event.place() + " cannot be understood"));
    for (Place place : aside.places()) {
      if (place.offset() < record.offsets().next(place.topic(), place.partition())) {
        reading.expectAside(place);
      }
    }
    return reading;
  }

  /** What is there may be right, and a job cannot know it: only a repair can say so. */
  private void requireTombstones(TableRecord record) {
    try (IcebergTables tables = IcebergTables.open(settings.catalog())) {
      tables.requireTombstones(route.table(), record.tombstones());
    } catch (CommitRefusedException | ForeignWriteException e) {
      findings.add(Difference.FOREIGN, String.valueOf(e.getMessage()));
    }
  }

  /** What the log says of a row, by the record that stands; null if it is gone by now. */
  @Nullable Map<String, @Nullable Object> row(LogReader log, Place place) {
    ConsumerRecord<byte[], byte[]> letter = aside.standing(place);
    RawEvent event = letter == null ? log.at(place) : RawEvent.of(letter);
    OracleChange change = event == null ? null : new ChangeReader(options()).read(event);
    if (change == null || change.row() == null) {
      return null;
    }
    Map<String, @Nullable Object> row = new TreeMap<>(change.row());
    row.put("_source_ts", change.sourceTime());
    return row;
  }

  private OracleOptions options() {
    return new OracleOptions(
        table.versionScheme(route.rules().version()),
        route.rules().key(),
        ColumnFields.of(table.columns(), route.rules().columns()),
        route.rules().onUnrepresentable() == OnUnrepresentable.NULL,
        route.rules().unavailableValue(),
        format);
  }

  /** What was put aside. */
  private void readAside(KafkaView kafka, LogReader log) {
    String topic = settings.errors().topic();
    if (topic == null || !kafka.topics().contains(topic)) {
      return;
    }
    List<LogReader.Part> parts = new ArrayList<>();
    kafka
        .ranges(Set.of(topic))
        .forEach(
            (partition, range) ->
                parts.add(
                    new LogReader.Part(
                        topic, partition.partition(), range.earliest(), range.latest())));
    log.records(parts, aside::add, passed -> {});
  }

  /** A job that stops at what it refuses has refused nothing of what its record covers. */
  private @Nullable Refusals refusals(TableRecord record) {
    return settings.errors().policy() == ErrorPolicy.FAIL
        ? null
        : Refusals.of(settings, route, record.horizon());
  }

  /** A topic that was created anew began with an epoch above all that the old one had. */
  private void formerTopic(TableRecord record) {
    lostEpochs =
        record.offsets().next().entrySet().stream()
            .flatMapToInt(
                topic ->
                    topic.getValue().keySet().stream()
                        .mapToInt(partition -> record.epochs().first(topic.getKey(), partition)))
            .min()
            .orElse(0);
    if (table.isAdopted()) {
      lost.add("the table had rows before Tidemark kept it");
    }
    if (lostEpochs > 0) {
      lost.add("what came before epoch %d was in a topic that is no more".formatted(lostEpochs));
    }
  }

  /** Kafka's ids of the topics; refuses those that only have the name of one in the record. */
  private Map<String, String> topicIds(KafkaView kafka, TableRecord record) {
    Set<String> topics = new TreeSet<>(record.offsets().next().keySet());
    topics.retainAll(kafka.topics());
    Map<String, String> ids = new TreeMap<>();
    for (String topic : topics) {
      String id = kafka.id(topic);
      TopicIdentity.check(route.table(), topic, id, record.topicIds().get(topic));
      if (id != null) {
        ids.put(topic, id);
      }
    }
    return ids;
  }

  private List<LogReader.Part> parts(KafkaView kafka, TableRecord record) {
    Set<String> topics = new HashSet<>(record.offsets().next().keySet());
    topics.retainAll(kafka.topics());
    Map<TopicPartition, OffsetRange> ranges = topics.isEmpty() ? Map.of() : kafka.ranges(topics);
    List<LogReader.Part> parts = new ArrayList<>();
    record
        .offsets()
        .next()
        .forEach(
            (topic, partitions) -> {
              boolean compacted =
                  topics.contains(topic)
                      && kafka
                          .config(topic)
                          .getOrDefault("cleanup.policy", "compact")
                          .contains("compact");
              if (compacted) {
                lost.add(topic + " is compacted: any record but a key's last may be gone");
                lostBelow = Long.MAX_VALUE;
              }
              partitions.forEach(
                  (partition, next) ->
                      parts.add(
                          part(
                              new TopicPartition(topic, partition),
                              record.origin().next(topic, partition),
                              next,
                              ranges.get(new TopicPartition(topic, partition)))));
            });
    return parts;
  }

  private LogReader.Part part(
      TopicPartition partition, long origin, long next, @Nullable OffsetRange range) {
    long from = range == null ? next : Math.max(origin, range.earliest());
    long to = range == null ? next : Math.min(next, range.latest());
    if (next > origin && range == null) {
      findings.add(
          Difference.LOG,
          partition + ": the record is at " + next + ", Kafka has no such partition");
      lostBelow = Long.MAX_VALUE;
    } else if (to < next) {
      findings.add(
          Difference.LOG, partition + ": the record is at " + next + ", Kafka ends at " + to);
      lostBelow = Long.MAX_VALUE;
    } else if (from
        > table.record().gaps().past(partition.topic(), partition.partition(), origin)) {
      lost.add("%s begins at %,d, the table was begun at %,d".formatted(partition, from, origin));
      lostBelow = Math.max(lostBelow, from);
    }
    return new LogReader.Part(partition.topic(), partition.partition(), Math.min(from, to), to);
  }
}
