package io.tidemark.config;

import java.time.Duration;
import java.util.List;

/**
 * How the table's record is kept where nothing changes.
 *
 * @param interval how long offsets may move without changes before a commit without files records
 *     them; above 0
 */
public record RecordSettings(Duration interval) {

  static final Key<Duration> INTERVAL =
      Key.optional(
          "record.interval",
          Quantities.DURATION,
          "1h",
          "How long a running job may read on without changes before a commit without files writes"
              + " the new offsets into the table's record, so that Kafka's retention does not pass an"
              + " idle table. A start counts as due, and a run `--until caught-up` records its end.");

  static final List<Key<?>> KEYS = List.of(INTERVAL);

  private static final Duration LONGEST = Duration.ofDays(365);

  public RecordSettings {
    if (interval.isZero() || interval.isNegative()) {
      throw new IllegalArgumentException("interval must be above 0, got " + interval);
    }
  }

  static RecordSettings read(Section section) {
    Duration interval = section.get(INTERVAL);
    if (interval.isZero() || interval.compareTo(LONGEST) > 0) {
      section.refuse(INTERVAL, "found " + section.shown(INTERVAL) + ", expected 1ms to 365d");
      return new RecordSettings(Duration.ofHours(1));
    }
    return new RecordSettings(interval);
  }
}
