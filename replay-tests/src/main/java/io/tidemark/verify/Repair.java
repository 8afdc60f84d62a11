package io.tidemark.verify;

import io.tidemark.change.PrimaryKey;
import io.tidemark.config.Settings;
import io.tidemark.config.TableRoute;
import io.tidemark.failure.RefusedException;
import io.tidemark.iceberg.Acceptance;
import io.tidemark.job.TableRepair;
import io.tidemark.oracle.Difference;
import io.tidemark.oracle.Findings;
import io.tidemark.oracle.Place;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What can be put right of what a comparison found, what cannot, and why not.
 *
 * <p>Only what the log says for certain is done. Where others wrote, it is all or nothing: the new
 * record says that the table is what its log says, whoever wrote it.
 */
final class Repair {
  private static final int NAMED = 20;

  private final TableVerifier.Outcome compared;
  private final RepairList list;
  private final List<String> refusals = new ArrayList<>();
  private final Set<Place> unsent = new LinkedHashSet<>();
  private boolean refused;

  Repair(TableVerifier.Outcome compared, RepairList list) {
    this.compared = compared;
    this.list = list;
    decide();
  }

  private void decide() {
    Findings found = compared.findings();
    if (found.count(Difference.LOG) > 0) {
      refuse(
          "The log cannot be read as a whole up to the record's offsets, so what stands is not known.");
    }
    if (found.count(Difference.FILE_GONE) > 0 || found.count(Difference.FILE_DAMAGED) > 0) {
      refuse(
          "Files are missing or damaged, so rows could not be compared. Restore the files, or roll the"
              + " table back to a snapshot that has all of its own whole.");
    }
    leave(list.lost, "keys", "the record that stands at them may be among those that the log lost");
    if (!isWhole()) {
      leave(
          list.unknown.size(),
          "keys that the log does not have",
          "they may come from records that it lost, or that could not be understood");
    }
    leave(
        found.count(Difference.TOMBSTONE_WRONG),
        "tombstones",
        "tombstones are only ever added. Build the table anew, by a run into a new table with --from"
            + " earliest");
    // Where the log has lost something, also a row that is not there may be one that they deleted.
    boolean every = refusals.isEmpty() && compared.result().unexplained() == 0 && isWhole();
    if (hasForeign() && !every) {
      refuse(
          "Somebody else wrote, and not every key can be compared and put right: what they wrote cannot"
              + " be accepted. Roll the table back to the snapshot of commit "
              + compared.record().commitId()
              + ", where that is still there and not the current one; otherwise build the table anew, by"
              + " a run into a new table"
              + (compared.log().lost().isEmpty()
                  ? "."
                  : ", once the source has sent a new snapshot: the log alone has lost rows."));
    }
  }

  /** Whether a key that the log does not have can never have been in it. */
  private boolean isWhole() {
    return compared.log().lost().isEmpty() && compared.log().skipped() == 0;
  }

  private void refuse(String why) {
    refused = true;
    refusals.add("Nothing is repaired: " + why);
  }

  private void leave(long count, String what, String why) {
    if (count > 0) {
      refusals.add(
          String.format(Locale.ROOT, "Left as they are: %s, %,d of them: %s.", what, count, why));
    }
  }

  private int removals() {
    return isWhole() ? list.unknown.size() : 0;
  }

  /** Whether there is anything to do. */
  boolean isNeeded() {
    return !refused
        && (hasForeign() || !list.standing.isEmpty() || removals() > 0 || !list.doubled.isEmpty());
  }

  /** What cannot be done, and why. */
  List<String> refusals() {
    return List.copyOf(refusals);
  }

  /** What is to be done, for people. */
  String plan() {
    return String.format(
        Locale.ROOT,
        "%,d changes to apply again, %,d keys to remove that the log does not have, %,d files to refer"
            + " to once",
        list.standing.size(),
        removals(),
        list.doubled.size());
  }

  /**
   * Does it, in one commit.
   *
   * @return null if nothing could be done
   * @throws RefusedException if the table or the log has moved since it was compared, or others
   *     wrote and a key must be left
   */
  TableRepair.@Nullable Repaired run(Settings settings, TableRoute route, LogReader log)
      throws IOException, InterruptedException {
    Acceptance acceptance =
        new Acceptance(
            compared.record().snapshot(),
            compared.result().tombstoneSnapshot(),
            List.copyOf(list.doubled));
    TableRepair repair =
        TableRepair.open(settings, route, compared.record().commitId(), acceptance);
    try (repair) {
      Taken taken = new Taken(repair);
      IOException[] failure = {null};
      Set<Place> inLog = new HashSet<>();
      for (Place place : list.standing) {
        ConsumerRecord<byte[], byte[]> letter = compared.aside().standing(place);
        if (letter == null) {
          inLog.add(place);
        } else {
          taken.take(place, letter);
        }
      }
      log.records(
          parts(inLog),
          record -> {
            Place place = new Place(record.topic(), record.partition(), record.offset());
            if (failure[0] == null && inLog.contains(place)) {
              try {
                taken.take(place, record);
              } catch (IOException e) {
                failure[0] = e;
              }
            }
          },
          passed -> {});
      if (failure[0] != null) {
        throw failure[0];
      }
      if (taken.read + unsent.size() != list.standing.size()) {
        throw new RefusedException(
            "Records that stand at "
                + (list.standing.size() - taken.read - unsent.size())
                + " keys have gone from Kafka since they were compared. Nothing was changed");
      }
      refuseToAcceptWhatIsLeft();
      if (isWhole()) {
        for (PrimaryKey key : list.unknown) {
          repair.remove(key);
        }
      }
      boolean nothing = taken.read == 0 && removals() == 0 && list.doubled.isEmpty();
      return nothing && !hasForeign() ? null : repair.commit();
    }
  }

  /** Hands records over, and notes those that a repair cannot apply. */
  private final class Taken {
    private final TableRepair repair;
    private long read;

    private Taken(TableRepair repair) {
      this.repair = repair;
    }

    private void take(Place place, ConsumerRecord<byte[], byte[]> record) throws IOException {
      if (repair.reapply(record)) {
        read++;
      } else {
        unsent.add(place);
      }
    }
  }

  private void refuseToAcceptWhatIsLeft() {
    if (!unsent.isEmpty() && hasForeign()) {
      throw new RefusedException(
          unsent()
              + " Somebody else wrote, so it is all or nothing: what they wrote cannot be accepted while"
              + " a key is left. Nothing was changed");
    }
  }

  /** The rows that are not counted are of others, too: what they did them in was expired. */
  private boolean hasForeign() {
    return compared.findings().count(Difference.FOREIGN) > 0
        || compared.findings().count(Difference.MISCOUNTED) > 0;
  }

  /** What was left because the source left columns out; null if nothing was. */
  @Nullable String unsent() {
    if (unsent.isEmpty()) {
      return null;
    }
    List<String> first = unsent.stream().limit(NAMED).map(Place::toString).toList();
    return String.format(
        Locale.ROOT,
        "Left as they are: %,d keys whose change leaves columns out (TOAST), at %s%s: a repair cannot"
            + " put a row together out of several changes yet. Update these rows at the source with"
            + " REPLICA IDENTITY FULL, then let the job run; or build the table anew, by a run into a"
            + " new table with --from earliest.",
        unsent.size(),
        String.join(", ", first),
        unsent.size() > NAMED ? " and so on" : "");
  }

  /** Of each partition what lies between the first and the last record that is wanted. */
  private static List<LogReader.Part> parts(Set<Place> wanted) {
    Map<TopicPartition, LogReader.Part> parts = new HashMap<>();
    for (Place place : wanted) {
      parts.merge(
          new TopicPartition(place.topic(), place.partition()),
          new LogReader.Part(place.topic(), place.partition(), place.offset(), place.offset() + 1),
          (a, b) ->
              new LogReader.Part(
                  a.topic(),
                  a.partition(),
                  Math.min(a.from(), b.from()),
                  Math.max(a.to(), b.to())));
    }
    return List.copyOf(parts.values());
  }
}
