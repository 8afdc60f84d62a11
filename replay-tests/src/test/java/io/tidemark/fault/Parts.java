package io.tidemark.fault;

import io.tidemark.change.Change;
import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.flink.Forgetting;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Seed;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The parts that a job is put together from: the real ones, or one with a bug planted in it. */
public interface Parts {

  /** All as they are. */
  Parts REAL = new Parts() {};

  default Decoder.Factory decoders(Decoder.Factory real) {
    return real;
  }

  default BatchWriter.Factory writers(BatchWriter.Factory real) {
    return real;
  }

  default CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
    return real;
  }

  /** What decoders and gates of a simulated job go by before the horizon. */
  default Forgetting forgetting(Forgetting real) {
    return real;
  }

  /** What the gates and the committer hear of the readers. */
  default Progress reported(Progress real) {
    return real;
  }

  /** Null for a new table. */
  default @Nullable Seed seed(@Nullable Seed real) {
    return real;
  }

  /** The properties of the consumer; only of a job on Flink. */
  default Properties consumer(Properties real) {
    return real;
  }

  /** Where bounded input ends; only of a job on Flink. */
  default @Nullable Map<TopicPartition, Long> until(@Nullable Map<TopicPartition, Long> real) {
    return real;
  }

  /** What passes between the decoders and the gates of one incarnation; not of a job on Flink. */
  default Predicate<Change> passing() {
    return change -> true;
  }

  /**
   * Where a start without state reads from; not of a job on Flink.
   *
   * @param right by partition what the table's record or the user says
   * @param read by partition how far any incarnation has read: where a consumer group may stand
   */
  default Map<Integer, Long> start(Map<Integer, Long> right, Map<Integer, Long> read) {
    return right;
  }
}
