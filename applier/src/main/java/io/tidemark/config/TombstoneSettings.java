package io.tidemark.config;

import java.time.Duration;
import java.util.List;

/**
 * What is remembered of deleted keys.
 *
 * @param retention how long before the newest source time a delete is remembered; at least a day
 */
public record TombstoneSettings(Duration retention) {

  static final Key<Duration> RETENTION =
      Key.optional(
          "tombstones.retention",
          Quantities.DURATION,
          "30d",
          "How long a deleted key is remembered, so that a replay of its older changes does not bring"
              + " it back. At least a day; longer than Kafka keeps the topics.");

  static final List<Key<?>> KEYS = List.of(RETENTION);

  public TombstoneSettings {
    if (retention.compareTo(Duration.ofDays(1)) < 0) {
      throw new IllegalArgumentException("retention must be at least a day, got " + retention);
    }
  }

  static TombstoneSettings read(Section section) {
    Duration retention = section.get(RETENTION);
    if (retention.compareTo(Duration.ofDays(1)) < 0) {
      section.refuse(
          RETENTION,
          "found "
              + section.shown(RETENTION)
              + ", expected at least 1d: tombstones are kept and expire by day");
      return new TombstoneSettings(Duration.ofDays(1));
    }
    return new TombstoneSettings(retention);
  }
}
