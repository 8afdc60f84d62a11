package io.tidemark.job;

import io.tidemark.change.Change;
import io.tidemark.change.CommitVersion;
import io.tidemark.change.Join;
import io.tidemark.change.Kind;
import io.tidemark.change.Mark;
import io.tidemark.change.PrimaryKey;
import io.tidemark.change.RankRefused;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Gaps;
import io.tidemark.commit.LateRanks;
import io.tidemark.commit.Progress;
import io.tidemark.commit.Retention;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.ConfigException;
import io.tidemark.config.Settings;
import io.tidemark.config.UnknownValues;
import io.tidemark.debezium.DecodeResult;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.RefusedException;
import io.tidemark.flink.Decoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Gate;
import io.tidemark.merge.KeptRows;
import io.tidemark.merge.MarkStore;
import io.tidemark.merge.Placement;
import io.tidemark.merge.RowStore;
import io.tidemark.merge.StoredRow;
import io.tidemark.merge.UnknownColumnException;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts records that were put aside back where they belong: each is decoded as what was read at its
 * original place, gets the version that it would have had, and joins what the table knows of its
 * key, as every change does. All that changes anything, rows or ranks, is one commit at the offsets
 * of the newest record, so doing it again changes nothing.
 *
 * <p>Memory grows with the letters: those that stand are held, and a mark for each key of theirs.
 * Not thread-safe.
 */
public final class Redrive {
  private final Settings settings;
  private final boolean acceptHorizon;
  private final RedrivePlan plan;
  private final RepairPlan table;
  private final DeadLetters letters;
  private final Map<PrimaryKey, List<Candidate>> keys = new LinkedHashMap<>();
  private final List<DeadLetters.Refusal> refused = new ArrayList<>();
  private final LateRanks ranks;
  private final Gaps gaps;
  private long inGaps;
  private long dropped;
  private long empty;
  private long changing;
  private long unchanged;
  private long upserts;
  private long deletes;

  private record Candidate(Letter letter, Change change) {}

  /**
   * A letter that stays one.
   *
   * @param record where the record was, for people; null if the letter does not say
   * @param letter where the letter lies, for people
   * @param problem what was found, what was expected, what to do; no row contents
   */
  public record Refused(@Nullable String record, String letter, String problem) {}

  /**
   * What it came to. Of several letters of one record only the one that stands counts.
   *
   * @param table its full name
   * @param topic that the letters were read from
   * @param dropped records that somebody wants left out
   * @param empty records that say nothing of a row
   * @param unchanged records that the table has already, or a newer change of their key
   * @param changing records that put something right
   * @param upserts rows that were written, or would be
   * @param deletes keys that were deleted, or would be
   * @param ofOthers letters of other topics
   * @param ofFormer letters of a topic of the same name that was deleted
   * @param inGaps records that lie in gaps that somebody accepted, and are left out for good
   * @param refused letters that stay
   * @param commitId of the commit; null if none was made
   */
  public record Result(
      String table,
      String topic,
      long dropped,
      long empty,
      long unchanged,
      long changing,
      long upserts,
      long deletes,
      long ofOthers,
      long ofFormer,
      long inGaps,
      List<Refused> refused,
      @Nullable String commitId) {}

  private Redrive(Settings settings, boolean acceptHorizon, RedrivePlan plan, DeadLetters letters) {
    this.settings = settings;
    this.acceptHorizon = acceptHorizon;
    this.plan = plan;
    this.table = plan.table();
    this.letters = letters;
    this.ranks = new LateRanks(table.record().progress());
    this.gaps = new Gaps(table.record().progress().gaps());
    refused.addAll(letters.refused());
  }

  /**
   * Does it.
   *
   * @param acceptHorizon whether a change from before the table's horizon may be of a new key
   * @param dryRun whether nothing is written
   * @throws ConfigException if there is no dead-letter topic
   * @throws RefusedException if the table has no record, others wrote to it, or a job committed
   *     meanwhile
   * @throws io.tidemark.commit.UnavailableException if the broker or the catalog does not answer
   */
  public static Result run(Settings settings, boolean acceptHorizon, boolean dryRun)
      throws IOException, InterruptedException {
    String topic = settings.errors().topic();
    if (topic == null) {
      throw ConfigException.of(
          "errors.topic", "is missing: it names the topic that dead letters are read from");
    }
    try (KafkaTopics kafka = new KafkaTopics(settings.kafka())) {
      if (!kafka.has(topic)) {
        throw ConfigException.of(
            "errors.topic", "is " + topic + ", which the cluster does not have");
      }
      RedrivePlan plan = Planner.planRedrive(settings, kafka, !dryRun);
      DeadLetters letters = new DeadLetters(plan.route().topic(), plan.topic().id());
      kafka.search(
          kafka.topic(topic).ranges(),
          found -> {
            letters.add(found);
            return false;
          });
      Redrive redrive = new Redrive(settings, acceptHorizon, plan, letters);
      redrive.decode(kafka);
      return redrive.apply(topic, dryRun);
    }
  }

  private void decode(KafkaTopics kafka) {
    Decoder decoder = table.decoders().open();
    List<DeadLetters.Standing> standing = new ArrayList<>(letters.standing());
    inGaps = standing.size();
    standing.removeIf(each -> gaps.have(each.letter().record().at()));
    inGaps -= standing.size();
    RankedInLog log = new RankedInLog(table.record().progress(), standing);
    log.read(kafka, plan.topic().ranges(), decoder);
    for (DeadLetters.Standing each : standing) {
      RawRecord record = each.letter().record();
      if (each.letter().drop()) {
        dropped++;
        continue;
      }
      DecodeResult result = decoder.decode(record);
      if (result instanceof DecodeResult.Decoded decoded) {
        rank(each, decoded, each.ranks() == null ? log.of(record.at()) : each.ranks());
      } else if (result instanceof DecodeResult.Malformed bad) {
        refused.add(DeadLetters.Refusal.of(each.letter(), bad.problem()));
      } else {
        empty++;
      }
    }
  }

  private void rank(
      DeadLetters.Standing standing, DecodeResult.Decoded decoded, @Nullable String known) {
    CommitVersion version;
    try {
      version =
          ranks.rank(
              decoded.source(), decoded.sourceTimeMicros(), standing.letter().record().at(), known);
    } catch (RankRefused e) {
      refused.add(DeadLetters.Refusal.of(standing.letter(), String.valueOf(e.getMessage())));
      return;
    }
    Change change =
        new Change(
            decoded.key(),
            decoded.kind(),
            version,
            decoded.sourceTimeMicros(),
            decoded.row(),
            decoded.unsent());
    keys.computeIfAbsent(change.key(), unseen -> new ArrayList<>())
        .add(new Candidate(standing.letter(), change));
  }

  private Result apply(String topic, boolean dryRun) throws IOException, InterruptedException {
    CommitRecord made = null;
    if (!keys.isEmpty()) {
      Map<PrimaryKey, Mark> marks = marks();
      try (BatchWriter writer = table.writers().open(0, 0)) {
        List<WrittenFiles> files = join(marks, writer, dryRun);
        // What was learned counts without a row, too: replays and later snapshots rank with it.
        Progress learned = ranks.progress();
        if (!dryRun && !(files.isEmpty() && learned.equals(table.record().progress()))) {
          made =
              new OfflineCommit(settings, plan.route().table(), table, null, "redrive")
                  .make(files, learned);
          if (made == null) {
            throw new RefusedException(
                "Nothing was put back: a job is writing to table "
                    + plan.route().table()
                    + ". Stop it first, then type the command again");
          }
        }
      }
    }
    return new Result(
        plan.route().table(),
        topic,
        dropped,
        empty,
        unchanged,
        changing,
        upserts,
        deletes,
        letters.ofOthers(),
        letters.ofFormer(),
        inGaps,
        refused.stream()
            .map(
                each ->
                    new Refused(
                        each.at() == null ? null : each.at().toString(),
                        each.lies().toString(),
                        each.problem()))
            .toList(),
        made == null ? null : made.commitId());
  }

  /** What the table knows of the keys. */
  private Map<PrimaryKey, Mark> marks() throws IOException, InterruptedException {
    Map<PrimaryKey, Mark> marks = new ConcurrentHashMap<>();
    table
        .seed()
        .read(
            (key, mark) -> {
              if (keys.containsKey(key)) {
                marks.merge(key, mark, Join::highest);
              }
            });
    return marks;
  }

  /** Joins key by key, so that a row that cannot be put together keeps no other back. */
  private List<WrittenFiles> join(Map<PrimaryKey, Mark> marks, BatchWriter writer, boolean dryRun)
      throws IOException {
    Placement placement = table.writers().placement();
    KeptRows rows =
        new KeptRows(
            new NoRows(),
            writer,
            table.writers().splice(),
            settings.gate().keepRowsFromBytes(),
            plan.route().rules().unknownValues() == UnknownValues.FAIL);
    List<WrittenFiles> files = new ArrayList<>();
    List<Winner> winners = new ArrayList<>();
    long bytes = 0;
    for (List<Candidate> ofKey : keys.values()) {
      for (Winner winner : winners(marks, placement, rows, ofKey)) {
        winners.add(winner);
        bytes += winner.change().row().length;
      }
      if (!dryRun && bytes > settings.gate().memoryBytes()) {
        files.add(writer.write(winners));
        winners = new ArrayList<>();
        bytes = 0;
      }
    }
    if (!dryRun && !winners.isEmpty()) {
      files.add(writer.write(winners));
    }
    return files;
  }

  private List<Winner> winners(
      Map<PrimaryKey, Mark> marks, Placement placement, KeptRows rows, List<Candidate> ofKey)
      throws IOException {
    Gate gate = new Gate(new OfTable(marks), placement, settings.gate().memoryBytes(), rows);
    if (!acceptHorizon && table.record().horizon() != null) {
      gate.moveHorizon(Retention.micros(table.record().horizon()));
    }
    List<Candidate> joined = new ArrayList<>();
    for (Candidate each : ofKey) {
      if (gate.offer(each.change())) {
        joined.add(each);
      } else {
        refused.add(
            DeadLetters.Refusal.of(
                each.letter(),
                "the change is from before the table's horizon "
                    + table.record().horizon()
                    + ", and nothing is known of its key so far back: it may have been deleted and"
                    + " forgotten since (tombstones.retention). If it was not, add --accept-horizon; if"
                    + " it was, leave the change out (header tidemark.drop)"));
      }
    }
    try {
      List<Winner> winners = gate.flush();
      for (Winner winner : winners) {
        upserts += winner.change().kind() == Kind.UPSERT ? 1 : 0;
        deletes += winner.change().kind() == Kind.DELETE ? 1 : 0;
      }
      changing += winners.isEmpty() ? 0 : joined.size();
      unchanged += winners.isEmpty() ? joined.size() : 0;
      return winners;
    } catch (UnknownColumnException e) {
      joined.forEach(
          each ->
              refused.add(DeadLetters.Refusal.of(each.letter(), String.valueOf(e.getMessage()))));
      return List.of();
    }
  }

  /** Marks of the table; what is joined here is not asked for again. */
  private record OfTable(Map<PrimaryKey, Mark> marks) implements MarkStore {
    @Override
    public @Nullable Mark get(PrimaryKey key) {
      return marks.get(key);
    }

    @Override
    public void put(PrimaryKey key, Mark mark) {
      // Each key is joined once.
    }
  }

  /** Rows are read from the table. */
  private static final class NoRows implements RowStore {
    @Override
    public @Nullable StoredRow get(PrimaryKey key) {
      return null;
    }

    @Override
    public void put(PrimaryKey key, StoredRow row) {
      // Nobody asks for it.
    }

    @Override
    public void remove(PrimaryKey key) {
      // There is none.
    }
  }
}
