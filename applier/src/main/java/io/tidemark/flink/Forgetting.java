package io.tidemark.flink;

import io.tidemark.commit.Retention;
import java.io.Serializable;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * From when on a job has forgotten deleted keys.
 *
 * @param recordedMicros the horizon of the record that the job starts from, microseconds since the
 *     epoch, or {@link Retention#NONE}
 * @param retention how the horizon follows the source; null if nothing is forgotten
 */
public record Forgetting(long recordedMicros, @Nullable Retention retention)
    implements Serializable {
  /**
   * No horizon: unknown keys are new keys, and what is learned of deleted keys is kept as long as
   * the job runs.
   */
  public static final Forgetting NOTHING = new Forgetting(Retention.NONE, null);

  /** The horizon of a job that starts from a record. */
  public static Forgetting from(@Nullable LocalDate horizon, Retention retention) {
    return new Forgetting(Retention.micros(horizon), retention);
  }

  /**
   * The horizon once the source was read up to a time.
   *
   * @param reachedMicros microseconds since the epoch, or {@link Retention#NONE}
   * @return never below the recorded one; {@link Retention#NONE} if there is none
   */
  long horizon(long reachedMicros) {
    return retention == null
        ? Retention.NONE
        : Math.max(recordedMicros, retention.horizonMicros(reachedMicros));
  }
}
