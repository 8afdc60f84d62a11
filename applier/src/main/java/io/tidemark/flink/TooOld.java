package io.tidemark.flink;

import io.tidemark.change.Change;
import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import io.tidemark.failure.BadEventException;
import io.tidemark.failure.RefusedException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** What is said of a change from before the horizon that the gate cannot judge. */
final class TooOld {
  private TooOld() {}

  static String problem(Change change, long horizonMicros) {
    return "the change was made at "
        + instant(change.sourceTimeMicros())
        + ", before the table's horizon "
        + instant(horizonMicros)
        + ", and nothing is known of its key so far back: the key may have been deleted and"
        + " forgotten since (tombstones.retention), and then the change must stay dead. If so, put"
        + " it aside (errors.policy dead-letter or skip); if the key was not deleted since, apply it"
        + " (./tidemark run -c FILE --accept-horizon)";
  }

  /** The same record is refused in every attempt, so the job is not restarted. */
  static RuntimeException stop(Arrival arrival, long horizonMicros) {
    String problem = problem(arrival.change(), horizonMicros);
    RawRecord record = arrival.record();
    // Without the record only where a savepoint was made with a shorter retention, or a partition
    // came while the job ran.
    SourceOffset at = record == null ? null : record.at();
    return new SuppressRestartsException(
        at == null
            ? new RefusedException("offset " + arrival.change().version().offset() + ": " + problem)
            : new BadEventException(at, problem));
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
