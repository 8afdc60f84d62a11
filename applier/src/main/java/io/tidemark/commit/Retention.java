package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How long deleted keys are remembered.
 *
 * <p>A table's <em>horizon</em> is the UTC midnight that lies {@code days} whole days or more
 * before the smallest source time that its partitions have reached. A record that was never read
 * before is not older than what its partition has reached, so it does not come from before the
 * horizon. What does and finds its key unknown, is a copy, a replay or a straggler, and the key may
 * be a deleted one that is forgotten.
 *
 * <p>Deletes are forgotten when they lie a whole day before the horizon, not earlier. A change that
 * a forgotten delete would have beaten has a lower version, and so was made before that delete, but
 * only as far as the clocks of the source and the connector can be believed. The day is the margin
 * for that: as long as they differ by less, such a change lies before the horizon, too.
 *
 * @param days whole days of the source's clock; at least 1
 */
public record Retention(int days) implements Serializable {
  /** Before all times: of a table that has forgotten nothing. */
  public static final long NONE = Long.MIN_VALUE;

  private static final long DAY_MICROS = 86_400_000_000L;

  public Retention {
    if (days < 1) {
      throw new IllegalArgumentException("days must be at least 1, got " + days);
    }
  }

  /**
   * The horizon of a table that stands for {@code read}, never below that of the record which it
   * builds on.
   *
   * @param partitions as in {@link #reached}
   * @param before that record's; null for none
   * @return null if nothing can be forgotten yet, as long as a partition is without streamed
   *     changes
   */
  public @Nullable LocalDate horizon(
      Progress read, Set<TopicPartition> partitions, @Nullable LocalDate before) {
    long reached = horizonMicros(reached(read, partitions));
    if (reached == NONE) {
      return before;
    }
    LocalDate now = LocalDate.ofEpochDay(Math.floorDiv(reached, DAY_MICROS));
    return before == null || now.isAfter(before) ? now : before;
  }

  /**
   * The horizon of a table whose partitions have all reached a source time.
   *
   * @param reachedMicros microseconds since the epoch, or {@link #NONE}
   * @return a UTC midnight in microseconds since the epoch, or {@link #NONE}
   */
  public long horizonMicros(long reachedMicros) {
    long oldest = Long.MIN_VALUE + (days + 2) * DAY_MICROS;
    return reachedMicros < oldest
        ? NONE
        : (Math.floorDiv(reachedMicros, DAY_MICROS) - days) * DAY_MICROS;
  }

  /**
   * The smallest of the source times that the partitions have reached.
   *
   * @param partitions those that the source had when the job was planned. State that is older than
   *     one of them does not know it before its first record, and its changes are as old as the
   *     partition, however far the others come until then
   * @return microseconds since the epoch; {@link #NONE} if one of them has none, or there are none
   */
  public static long reached(Progress read, Set<TopicPartition> partitions) {
    if (!read.partitions().keySet().containsAll(partitions)) {
      return NONE;
    }
    return read.partitions().values().stream()
        .mapToLong(partition -> partition.last().highWaterTimeMicros())
        .min()
        .orElse(NONE);
  }

  /**
   * The start of a horizon in microseconds since the epoch.
   *
   * @param horizon null for {@link #NONE}
   */
  public static long micros(@Nullable LocalDate horizon) {
    return horizon == null ? NONE : Math.multiplyExact(horizon.toEpochDay(), DAY_MICROS);
  }

  /**
   * Where the memory of deletes begins: what was deleted before it is forgotten.
   *
   * @param horizonMicros the table's horizon, or {@link #NONE}
   * @return a UTC midnight in microseconds since the epoch, or {@link #NONE}
   */
  public static long forgottenBefore(long horizonMicros) {
    return horizonMicros == NONE ? NONE : horizonMicros - DAY_MICROS;
  }

  /**
   * The least value of {@link #forgottenBefore} with which a delete is forgotten.
   *
   * @param deletedAtMicros source time of the delete, microseconds since the epoch
   */
  public static long forgottenAt(long deletedAtMicros) {
    return deletedAtMicros > Long.MAX_VALUE - DAY_MICROS
        ? Long.MAX_VALUE
        : (Math.floorDiv(deletedAtMicros, DAY_MICROS) + 1) * DAY_MICROS;
  }
}
