package io.tidemark.flink;

import io.tidemark.commit.AcceptedReplay;
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
 * @param replay of a job that takes unknown keys for new ones, what it reads again
 */
public record Forgetting(long recordedMicros, @Nullable Retention retention, AcceptedReplay replay)
    implements Serializable {
  /**
   * No horizon: unknown keys are new keys, and what is learned of deleted keys is kept as long as
   * the job runs.
   */
  public static final Forgetting NOTHING = nothing(AcceptedReplay.NONE);

  /** The same for a job that reads again what lies before the table's horizon. */
  public static Forgetting nothing(AcceptedReplay replay) {
    return new Forgetting(Retention.NONE, null, replay);
  }

  /** The horizon of a job that starts from a record. */
  public static Forgetting from(@Nullable LocalDate horizon, Retention retention) {
    return new Forgetting(Retention.micros(horizon), retention, AcceptedReplay.NONE);
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
