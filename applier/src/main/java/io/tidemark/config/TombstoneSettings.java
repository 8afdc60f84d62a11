package io.tidemark.config;

import java.time.Duration;
import java.util.List;

/**
 * How long deleted keys are remembered.
 *
 * @param retentionDays in days of the source's clock; 1 to {@link #MAX_DAYS}
 */
public record TombstoneSettings(int retentionDays) {
  /** A hundred years: for ever. */
  public static final int MAX_DAYS = 36_500;

  static final Key<Duration> RETENTION =
      Key.optional(
          "tombstones.retention",
          Quantities.DURATION,
          "30d",
          "How long deleted keys are remembered, in whole days, `1d` to `36500d`, counted back from the"
              + " smallest source time that the partitions have reached, never from a clock. What is"
              + " older is the table's horizon: a change of an unknown key from before it goes to"
              + " `errors.policy`, and a replay from before it is refused. Longer than"
              + " Kafka keeps the topic is always enough.");

  static final List<Key<?>> KEYS = List.of(RETENTION);

  public TombstoneSettings {
    if (retentionDays < 1 || retentionDays > MAX_DAYS) {
      throw new IllegalArgumentException(
          "retentionDays must be in 1.." + MAX_DAYS + ", got " + retentionDays);
    }
  }

  static TombstoneSettings read(Section section) {
    Duration retention = section.get(RETENTION);
    long days = retention.toDays();
    if (!retention.equals(Duration.ofDays(days)) || days < 1 || days > MAX_DAYS) {
      section.refuse(
          RETENTION,
          "found " + section.shown(RETENTION) + ", expected whole days, 1d to " + MAX_DAYS + "d");
      return new TombstoneSettings(30);
    }
    return new TombstoneSettings((int) days);
  }
}
