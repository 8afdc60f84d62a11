package io.tidemark.verify;

import io.tidemark.job.Refusals;
import io.tidemark.oracle.ChangeReader;
import io.tidemark.oracle.Gaps;
import io.tidemark.oracle.KeyFold;
import io.tidemark.oracle.OracleChange;
import io.tidemark.oracle.Place;
import io.tidemark.oracle.PutAside;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.TableRecord;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Folds the records of a log, and knows which of them a table may be without. */
final class LogFold {
  private final ChangeReader reader;
  private final KeyFold fold;
  private final PutAside aside;
  private final @Nullable Refusals refusals;
  private final TableRecord recorded;
  private final Gaps gaps;
  private final Consumer<RawEvent> unexpected;
  private final TreeSet<Place> asideAhead =
      new TreeSet<>(
          Comparator.comparing(Place::topic)
              .thenComparing(Place::partition)
              .thenComparing(Place::offset));
  private final Set<Long> unread = new HashSet<>();
  private final Reasons skippedFor = new Reasons();
  private final Reasons refused = new Reasons();
  private long asideUnread;
  private long changes;
  private long skipped;
  private long inGaps;

  /**
   * A fold of nothing yet.
   *
   * @param aside what was put aside
   * @param refusals tells what a job does not apply; null if a job stops at such a record
   * @param recorded the table's record
   * @param unexpected takes the records that cannot be understood and have no business there
   */
  LogFold(
      ChangeReader reader,
      KeyFold fold,
      PutAside aside,
      @Nullable Refusals refusals,
      TableRecord recorded,
      Consumer<RawEvent> unexpected) {
    this.reader = reader;
    this.fold = fold;
    this.aside = aside;
    this.refusals = refusals;
    this.recorded = recorded;
    this.gaps = recorded.gaps();
    this.unexpected = unexpected;
  }

  /** Lets a record that was put aside take its turn, though Kafka may not have it any more. */
  void expectAside(Place place) {
    asideAhead.add(place);
  }

  /** Takes the next record of a partition. */
  void add(ConsumerRecord<byte[], byte[]> record) {
    RawEvent event = RawEvent.of(record);
    Place here = Place.of(event);
    if (gaps.has(here)) {
      inGaps++; // nothing was learned of it, so nothing is
      return;
    }
    asideUpTo(here);
    // Asked of each: what is late depends on what came before it.
    Refusals.Refused refusal = refusals == null ? null : refusals.of(record);
    if (aside.has(here)) {
      passAside(event);
      return;
    }
    OracleChange change;
    try {
      change =
          refusal == null || !refusal.certain()
              ? reader.read(event)
              : reader.readRefused(event, recorded.ranks());
    } catch (IllegalArgumentException e) {
      skip(event);
      if (refusal != null) {
        skippedFor.add(refusal.reason());
      } else if (refusals == null) {
        unexpected.accept(event);
      }
      return;
    }
    if (refusal != null) {
      refused.add(refusal.reason());
    }
    if (change != null) {
      changes++;
      if (refusal == null) {
        fold.add(change);
      } else {
        fold.addAside(change);
      }
    }
  }

  /** To be called behind the last record. */
  void end() {
    for (Place place : List.copyOf(asideAhead)) {
      addAside(place);
    }
  }

  /** Letters of records that Kafka has not any more are in between. */
  private void asideUpTo(Place here) {
    while (true) {
      Place next = asideAhead.ceiling(new Place(here.topic(), here.partition(), 0));
      if (next == null
          || !next.topic().equals(here.topic())
          || next.partition() != here.partition()
          || next.offset() > here.offset()) {
        return;
      }
      addAside(next);
    }
  }

  private void addAside(Place place) {
    asideAhead.remove(place);
    ConsumerRecord<byte[], byte[]> letter = aside.standing(place);
    if (letter == null) {
      return;
    }
    try {
      OracleChange change = reader.readAside(RawEvent.of(letter));
      if (change != null) {
        fold.addAside(change);
      }
    } catch (IllegalArgumentException e) {
      asideUnread++;
      unread.add(place.offset());
    }
  }

  /** What follows a record that the job could read is ranked with it, put aside or not. */
  private void passAside(RawEvent event) {
    if (aside.wasRanked(Place.of(event))) {
      try {
        reader.read(event);
      } catch (IllegalArgumentException e) {
        skip(event);
      }
    }
  }

  private void skip(RawEvent event) {
    skipped++;
    unread.add(event.offset());
  }

  /** Records that lie in gaps which somebody accepted. */
  long inGaps() {
    return inGaps;
  }

  /** Offsets, in any partition, of records that could not be understood. */
  Set<Long> unread() {
    return unread;
  }

  /** Records that could not be understood. */
  long skipped() {
    return skipped;
  }

  /** What the job says of those that could not be understood, as far as it refuses them too. */
  List<String> skippedFor() {
    return skippedFor.lines();
  }

  /** What the job says of those that it does not apply, or may not have applied. */
  Reasons refused() {
    return refused;
  }

  /** Records that were put aside and cannot be understood yet. */
  long asideUnread() {
    return asideUnread;
  }

  /** Changes of rows, those that a job does not apply among them. */
  long changes() {
    return changes;
  }
}
