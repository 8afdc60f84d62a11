package io.tidemark.corpus;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Ways in which the same records may come. */
public final class Deliveries {

  private Deliveries() {}

  /**
   * Every partition in its order, all interleaved; now and then a partition starts again from
   * before.
   */
  public static List<RawRecord> interleaved(List<RawRecord> records, Random random) {
    Map<Integer, List<RawRecord>> partitions =
        records.stream().collect(Collectors.groupingBy(r -> r.at().partition()));
    Map<Integer, Integer> next = new HashMap<>();
    List<Integer> open = new ArrayList<>(partitions.keySet());
    List<RawRecord> delivered = new ArrayList<>();
    while (!open.isEmpty()) {
      int partition = open.get(random.nextInt(open.size()));
      List<RawRecord> log = partitions.get(partition);
      int at = next.getOrDefault(partition, 0);
      if (at > 0 && random.nextInt(200) == 0) {
        at = random.nextInt(at);
      }
      int until = Math.min(log.size(), at + 1 + random.nextInt(20));
      delivered.addAll(log.subList(at, until));
      next.put(partition, until);
      if (until == log.size()) {
        open.remove((Integer) partition);
      }
    }
    return delivered;
  }

  /**
   * The records as a connector emits them that starts again now and then, and sends some of what it
   * sent before once more, at new offsets.
   */
  public static List<RawRecord> withRestarts(List<RawRecord> records, Random random) {
    List<RawRecord> emitted = new ArrayList<>();
    int at = 0;
    for (int restarts = 4; at < records.size(); restarts--) {
      int until = restarts == 0 ? records.size() : at + 1 + random.nextInt(records.size() - at);
      emitted.addAll(records.subList(at, until));
      at = restarts == 0 ? until : random.nextInt(until + 1);
    }
    return renumbered(emitted, new HashMap<>());
  }

  /** All records once more, at new offsets, in no order. */
  public static List<RawRecord> shuffledCopy(List<RawRecord> records, Random random) {
    List<RawRecord> shuffled = new ArrayList<>(records);
    Collections.shuffle(shuffled, random);
    return copy(shuffled);
  }

  /** All records once more, at new offsets. */
  public static List<RawRecord> copy(List<RawRecord> records) {
    Map<Integer, Long> next = new HashMap<>();
    records.forEach(r -> next.merge(r.at().partition(), r.at().offset() + 1, Math::max));
    return renumbered(records, next);
  }

  /** Each at the next offset of its partition. */
  private static List<RawRecord> renumbered(List<RawRecord> records, Map<Integer, Long> next) {
    return records.stream()
        .map(
            r -> {
              int partition = r.at().partition();
              long offset = next.merge(partition, 1L, Long::sum) - 1;
              SourceOffset at = new SourceOffset(r.at().topic(), partition, offset);
              return new RawRecord(at, r.timestampMillis(), r.key(), r.value(), r.headers());
            })
        .toList();
  }
}
