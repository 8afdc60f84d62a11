package io.tidemark.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Seeds;
import io.tidemark.corpus.Deliveries;
import io.tidemark.corpus.Fold;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Recordings read from the middle: with nothing known but what a table and its record hold, and
 * with the beginning of the log gone.
 */
class LostStateTest {

  private static final int PIECES = 12;

  static Stream<Recording> tables() {
    return Stream.concat(
        Arrays.stream(CorpusTable.values()), Arrays.stream(RecordedTable.values()));
  }

  /**
   * All state is lost again and again, and each time reading goes on from the recorded offsets or
   * from anywhere below them. The end is the one of a log that is read through, also of one into
   * which a connector sent some changes again.
   */
  @ParameterizedTest
  @MethodSource("tables")
  void whatTheTableHoldsIsEnoughToGoOn(Recording table) {
    for (long seed = 1; seed <= 2; seed++) {
      Random random = Seeds.random("LostStateTest." + table, seed);
      List<RawRecord> records = table.records();
      List<RawRecord> log = seed == 1 ? records : Deliveries.withRestarts(records, random);
      Reading reading = new Reading(table.fold(), partitions(log, Map.of()), random);

      reading.toTheEnd();

      assertThat(reading.losses).isGreaterThan(1);
      assertThat(table.differences(reading.fold)).containsExactlyInAnyOrderElementsOf(table.lost());
    }
  }

  /**
   * The beginning of each partition is gone, so that a snapshot may be cut in two. Each key of
   * which a change is left is as in the whole log, because each of these changes brings its whole
   * row; all others are not there. State is lost here too.
   */
  @ParameterizedTest
  @MethodSource("tables")
  void ofALogWithoutItsBeginningEachKeyThatIsLeftIsRight(Recording table) {
    Random random = Seeds.random("LostStateTest.middle." + table, 1);
    Map<Integer, Integer> begins = new TreeMap<>();
    partitions(table.records(), Map.of())
        .forEach((p, log) -> begins.put(p, random.nextInt(log.size() + 1)));
    Fold fold = table.fold();
    begins.forEach(fold::startAt);

    Reading reading = new Reading(fold, partitions(table.records(), begins), random);
    reading.toTheEnd();

    Set<String> left = fold.keys(table.key());
    List<String> expected = new ArrayList<>();
    List<String> nothing = table.differences(table.fold());
    for (String missing : nothing) {
      String key = missing.substring(0, missing.length() - " is missing".length());
      if (!left.contains(key)) {
        expected.add(missing);
      }
    }
    for (String difference : table.lost()) {
      if (left.stream().anyMatch(key -> isOf(key, difference))) {
        expected.add(difference);
      }
    }
    assertThat(table.differences(fold)).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static boolean isOf(String key, String difference) {
    return difference.startsWith(key + ".") || difference.startsWith(key + " is ");
  }

  /** By partition its records from an offset on. */
  private static Map<Integer, List<RawRecord>> partitions(
      List<RawRecord> records, Map<Integer, Integer> begins) {
    Map<Integer, List<RawRecord>> partitions =
        records.stream().collect(groupingBy(r -> r.at().partition(), TreeMap::new, toList()));
    begins.forEach(
        (p, begin) -> partitions.computeIfPresent(p, (q, l) -> l.subList(begin, l.size())));
    return partitions;
  }

  /**
   * Partitions that are read in any interleaving, with commits and losses of all state. Many of
   * them fall between a snapshot's rows and the stream, where nothing that is read later makes up
   * for what was forgotten of a partition.
   */
  private static final class Reading {
    private final Fold fold;
    private final Map<Integer, List<RawRecord>> partitions;
    private final Random random;
    private final Map<Integer, NavigableSet<Integer>> turns = new TreeMap<>();
    private final Map<Integer, Integer> next = new TreeMap<>();
    private int losses;

    Reading(Fold fold, Map<Integer, List<RawRecord>> partitions, Random random) {
      this.fold = fold;
      this.partitions = partitions;
      this.random = random;
      partitions.keySet().forEach(p -> next.put(p, 0));
      partitions.forEach((p, log) -> turns.put(p, turns(log)));
    }

    private static NavigableSet<Integer> turns(List<RawRecord> log) {
      NavigableSet<Integer> turns = new TreeSet<>();
      for (int i = 1; i < log.size(); i++) {
        if (isOfASnapshot(log.get(i)) != isOfASnapshot(log.get(i - 1))) {
          turns.add(i);
        }
      }
      return turns;
    }

    /** In JSON; of the other formats the turns are not known. */
    private static boolean isOfASnapshot(RawRecord record) {
      byte[] value = record.value();
      return value != null && new String(value, UTF_8).contains("\"op\":\"r\"");
    }

    void toTheEnd() {
      while (losses < 2 || !isAtEnd()) {
        List<Integer> all = List.copyOf(next.keySet());
        int partition = all.get(random.nextInt(all.size()));
        List<RawRecord> log = partitions.get(partition);
        int from = next.get(partition);
        Integer turn = random.nextInt(3) == 0 ? turns.get(partition).higher(from) : null;
        int until =
            turn != null
                ? turn
                : Math.min(log.size(), from + 1 + random.nextInt(log.size() / PIECES + 1));
        fold.applyAll(log.subList(from, until));
        next.put(partition, until);
        if (turn != null || random.nextInt(4) == 0) {
          fold.commit();
        }
        if (turn != null) {
          loseState(false);
        } else if (losses < 6 && random.nextInt(8) == 0) {
          loseState(random.nextBoolean());
        }
      }
    }

    private void loseState(boolean below) {
      losses++;
      fold.loseState();
      next.replaceAll(
          (partition, old) -> {
            List<RawRecord> log = partitions.get(partition);
            long recorded = fold.recorded(partition);
            int place = 0;
            while (place < log.size() && log.get(place).at().offset() < recorded) {
              place++;
            }
            return below ? random.nextInt(place + 1) : place;
          });
    }

    private boolean isAtEnd() {
      return next.entrySet().stream()
          .allMatch(p -> p.getValue() == partitions.get(p.getKey()).size());
    }
  }
}
