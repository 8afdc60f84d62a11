package io.tidemark.replay;

import io.tidemark.oracle.RawEvent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Ways in which the same records may come. */
final class Deliveries {

  /** Longest suffix that is sent again where the whole log follows anyhow. */
  private static final int SUFFIX = 200;

  private Deliveries() {}

  /** Each partition in its order, all of them interleaved at random. */
  static List<RawEvent> interleaved(List<RawEvent> events, Random random) {
    Map<Integer, List<RawEvent>> partitions = new TreeMap<>();
    events.forEach(
        event -> partitions.computeIfAbsent(event.partition(), p -> new ArrayList<>()).add(event));
    List<Integer> open = new ArrayList<>(partitions.keySet());
    Map<Integer, Integer> next = new HashMap<>();
    List<RawEvent> delivered = new ArrayList<>();
    while (!open.isEmpty()) {
      int partition = open.get(random.nextInt(open.size()));
      List<RawEvent> log = partitions.get(partition);
      int from = next.getOrDefault(partition, 0);
      int until = Math.min(log.size(), from + 1 + random.nextInt(30));
      delivered.addAll(log.subList(from, until));
      next.put(partition, until);
      if (until == log.size()) {
        open.remove((Integer) partition);
      }
    }
    return delivered;
  }

  /** As the connector sent them, but now and then it starts over and repeats what it sent last. */
  static List<RawEvent> withRestarts(List<RawEvent> events, Random random) {
    return withRestarts(events, random, events.size());
  }

  private static List<RawEvent> withRestarts(List<RawEvent> events, Random random, int atMost) {
    List<RawEvent> delivered = new ArrayList<>();
    int sent = 0;
    while (sent < events.size()) {
      int until = Math.min(events.size(), sent + 1 + random.nextInt(events.size() / 4 + 1));
      delivered.addAll(events.subList(sent, until));
      int again = 1 + random.nextInt(Math.min(until, atMost));
      delivered.addAll(events.subList(until - again, until));
      sent = until;
    }
    return delivered;
  }

  /** All once more, in no order. */
  static List<RawEvent> shuffled(List<RawEvent> events, Random random) {
    List<RawEvent> shuffled = new ArrayList<>(events);
    Collections.shuffle(shuffled, random);
    return shuffled;
  }

  /**
   * A log of all kinds of repetition: suffixes sent again on the way, and all of it once more at
   * the end, shuffled where positions are unique. Partitions are as they were, offsets new.
   */
  static List<RawEvent> ofAllKinds(CorpusTable recorded, Random random) {
    List<RawEvent> events = recorded.load().events();
    List<RawEvent> sent = new ArrayList<>(withRestarts(events, random, SUFFIX));
    sent.addAll(recorded.positionsAreUnique() ? shuffled(events, random) : events);
    Map<Integer, Long> ends = new HashMap<>();
    sent.replaceAll(
        event -> event.at(event.partition(), ends.merge(event.partition(), 1L, Long::sum) - 1));
    return sent;
  }
}
