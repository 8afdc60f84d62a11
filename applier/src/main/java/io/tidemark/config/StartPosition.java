package io.tidemark.config;

import io.tidemark.change.TopicPartition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A place in Kafka to start from. */
public sealed interface StartPosition extends StartFrom {

  /** The oldest record that Kafka has. */
  record Earliest() implements StartPosition {
    @Override
    public String toString() {
      return "earliest";
    }
  }

  /** The end of each partition at the start of the job. */
  record Latest() implements StartPosition {
    @Override
    public String toString() {
      return "latest";
    }
  }

  /** In each partition the first record whose Kafka timestamp is not before {@code instant}. */
  record Timestamp(Instant instant) implements StartPosition {
    @Override
    public String toString() {
      return "timestamp=" + instant;
    }
  }

  /**
   * An offset for each partition.
   *
   * @param offsets not empty; partitions that it does not name start at the oldest record
   */
  record Offsets(Map<TopicPartition, Long> offsets) implements StartPosition {
    public Offsets {
      if (offsets.isEmpty()) {
        throw new IllegalArgumentException("no offset is given");
      }
      offsets = Map.copyOf(offsets);
    }

    @Override
    public String toString() {
      return new TreeMap<>(offsets)
          .entrySet().stream()
              .map(e -> e.getKey().topic() + ":" + e.getKey().partition() + "=" + e.getValue())
              .collect(Collectors.joining(","));
    }
  }

  /** What {@link #parse} takes, for messages and help. */
  String EXPECTED =
      "earliest, latest, timestamp=<ISO-8601 time with zone, or milliseconds> or"
          + " <topic>:<partition>=<offset>,…";

  /**
   * Reads {@code earliest}, {@code latest}, {@code timestamp=…} or {@code
   * topic:partition=offset,…}.
   *
   * @throws IllegalArgumentException says what is wrong; null message if it is none of these
   */
  static StartPosition parse(String text) {
    String trimmed = text.strip();
    if (trimmed.equals("earliest")) {
      return new Earliest();
    }
    if (trimmed.equals("latest")) {
      return new Latest();
    }
    if (trimmed.startsWith("timestamp=")) {
      return new Timestamp(instant(trimmed.substring("timestamp=".length()).strip()));
    }
    if (!trimmed.contains("=")) {
      throw new IllegalArgumentException();
    }
    Map<TopicPartition, Long> offsets = new TreeMap<>();
    for (String part : trimmed.split(",", -1)) {
      int equals = part.lastIndexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("an offset looks like topic:0=17");
      }
      put(offsets, part.substring(0, equals).strip(), part.substring(equals + 1).strip());
    }
    return new Offsets(offsets);
  }

  /** Adds one offset, read from {@code topic:partition} and a number. */
  static void put(Map<TopicPartition, Long> offsets, String partition, String offset) {
    int colon = partition.lastIndexOf(':');
    if (colon <= 0
        || !partition.substring(colon + 1).matches("\\d{1,9}")
        || !offset.matches("\\d{1,18}")) {
      throw new IllegalArgumentException("an offset looks like topic:0=17");
    }
    TopicPartition key =
        new TopicPartition(
            partition.substring(0, colon), Integer.parseInt(partition.substring(colon + 1)));
    if (offsets.putIfAbsent(key, Long.parseLong(offset)) != null) {
      throw new IllegalArgumentException("a partition is named twice");
    }
  }

  private static Instant instant(String text) {
    if (text.matches("\\d{1,15}")) {
      return Instant.ofEpochMilli(Long.parseLong(text));
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a time looks like 2026-01-31T12:00:00Z", e);
    }
  }
}
