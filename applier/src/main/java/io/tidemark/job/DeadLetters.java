package io.tidemark.job;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a dead-letter topic holds of one table's topic: for each record the letter that stands.
 *
 * <p>A record may have several: the job writes one at least once, and again in every replay, always
 * the same; and whoever corrects it writes another, and perhaps one more. So a correction goes
 * before what the job wrote, wherever it lies, and of corrections the newest stands. Not
 * thread-safe.
 */
final class DeadLetters {
  private static final Comparator<SourceOffset> PLACE =
      Comparator.comparing(SourceOffset::topic)
          .thenComparing(SourceOffset::partition)
          .thenComparing(SourceOffset::offset);

  private final String topic;
  private final @Nullable String topicId;
  private final Map<SourceOffset, OfRecord> records = new TreeMap<>(PLACE);
  private final List<Refusal> refused = new ArrayList<>();
  private long ofOthers;
  private long ofFormer;

  /**
   * A letter that nothing can be done with.
   *
   * @param at where the record was; null if the letter does not say
   * @param lies where the letter is
   */
  record Refusal(@Nullable SourceOffset at, SourceOffset lies, String problem) {
    static Refusal of(Letter letter, String problem) {
      return new Refusal(letter.record().at(), letter.lies(), problem);
    }
  }

  private static final class OfRecord {
    private @Nullable Letter ofJob;
    private @Nullable Letter otherOfJob; // which says something else
    private final Map<Integer, Letter> corrections = new TreeMap<>(); // each partition's newest
    private @Nullable String ranks;

    /** What stands; null if there is nothing, or if {@link #problem} says why it cannot be told. */
    @Nullable Letter letter() {
      Letter newest = null;
      for (Letter each : corrections.values()) {
        newest = newest == null || newest.writtenMillis() < each.writtenMillis() ? each : newest;
      }
      return newest == null ? ofJob : newest;
    }

    /** Why it cannot be told what stands; null if it can. Any later correction puts it right. */
    @Nullable String problem() {
      Letter letter = letter();
      Letter other = otherOfJob;
      if (letter == null) {
        return null;
      }
      if (corrections.isEmpty() && other != null) {
        return "another letter of the same record ("
            + other.lies()
            + ") says something else, and both have the header tidemark.problem. Produce the"
            + " correction once more, without that header";
      }
      for (Letter each : corrections.values()) {
        if (each.writtenMillis() == letter.writtenMillis() && !each.saysTheSame(letter)) {
          return "two corrections have the same time, "
              + each.lies()
              + " is the other: which is the later cannot be told. Produce the right one once more";
        }
      }
      return null;
    }
  }

  /**
   * None yet.
   *
   * @param topic that the table is read from
   * @param topicId Kafka's id of it now; null if it is not known
   */
  DeadLetters(String topic, @Nullable String topicId) {
    this.topic = topic;
    this.topicId = topicId;
  }

  /** Takes a record of the dead-letter topic; those of a partition come in their order. */
  void add(RawRecord found) {
    Letter letter;
    try {
      letter = Letter.of(found);
    } catch (IllegalArgumentException e) {
      refused.add(new Refusal(null, found.at(), String.valueOf(e.getMessage())));
      return;
    }
    if (!letter.record().at().topic().equals(topic)) {
      ofOthers++;
    } else if (topicId != null && letter.topicId() != null && !letter.topicId().equals(topicId)) {
      ofFormer++; // offsets of the topic that was deleted mean nothing in this one
    } else {
      stand(records.computeIfAbsent(letter.record().at(), unseen -> new OfRecord()), letter);
    }
  }

  private static void stand(OfRecord record, Letter letter) {
    if (letter.ranks() != null && (letter.byJob() || record.ranks == null)) {
      record.ranks = letter.ranks(); // a job that failed and read it again knew the epoch, too
    }
    if (!letter.byJob()) {
      record.corrections.put(letter.lies().partition(), letter);
    } else if (record.ofJob == null) {
      record.ofJob = letter;
    } else if (!record.ofJob.saysTheSame(letter)) {
      record.otherOfJob = letter;
    }
  }

  /**
   * What stands, in the order of the records' places.
   *
   * @param ranks as {@link io.tidemark.flink.LetterHeaders#RANKS} has it, of any letter of the
   *     record; null if none has it
   */
  record Standing(Letter letter, @Nullable String ranks) {}

  /** The letters that stand; those of which it cannot be told are among the {@link #refused}. */
  List<Standing> standing() {
    List<Standing> standing = new ArrayList<>();
    for (OfRecord record : records.values()) {
      Letter letter = record.letter();
      if (letter != null && record.problem() == null) {
        standing.add(new Standing(letter, record.ranks));
      }
    }
    return standing;
  }

  /** What cannot be used. */
  List<Refusal> refused() {
    List<Refusal> all = new ArrayList<>(refused);
    for (OfRecord record : records.values()) {
      Letter letter = record.letter();
      String problem = record.problem();
      if (letter != null && problem != null) {
        all.add(Refusal.of(letter, problem));
      }
    }
    return all;
  }

  /** How many letters are of other topics. */
  long ofOthers() {
    return ofOthers;
  }

  /** How many are of a topic that had this one's name and was deleted. */
  long ofFormer() {
    return ofFormer;
  }
}
