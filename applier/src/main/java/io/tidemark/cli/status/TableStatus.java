package io.tidemark.cli.status;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.LiveRows;
import io.tidemark.iceberg.TableFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a table stands.
 *
 * @param facts null if it does not exist
 * @param liveRows rows that a reader sees; null if they were not counted
 * @param kafkaProblem why nothing is known of Kafka; null if it answered
 * @param topicProblem that the topic is another one than the table's record names, whose offsets do
 *     not compare with the recorded ones; null if it is the same, or that is not known
 * @param partitions all that the record or Kafka knows, in order
 * @param now when it was looked at
 */
public record TableStatus(
    String topic,
    String table,
    @Nullable TableFacts facts,
    @Nullable Long liveRows,
    @Nullable String kafkaProblem,
    @Nullable String topicProblem,
    List<Partition> partitions,
    Instant now) {

  public TableStatus {
    partitions = List.copyOf(partitions);
  }

  /**
   * A partition.
   *
   * @param recorded the offset that the table's record goes on from; null if it has none
   * @param earliest the first offset that Kafka has; null if that is not known
   * @param latest the offset that comes next in Kafka; null if that is not known
   */
  public record Partition(
      TopicPartition id, @Nullable Long recorded, @Nullable Long earliest, @Nullable Long latest) {

    /** Records that the table lacks; null if that is not known. */
    public @Nullable Long lag() {
      if (latest == null || earliest == null) {
        return null;
      }
      return Math.max(0, latest - (recorded == null ? earliest : Math.max(recorded, earliest)));
    }

    /** What keeps a job from going on here; null if nothing does. */
    public @Nullable String problem() {
      if (recorded == null || latest == null || earliest == null) {
        return null;
      }
      if (recorded < earliest) {
        return "offsets " + recorded + " to " + (earliest - 1) + " are gone from Kafka";
      }
      return recorded > latest ? "the record is beyond Kafka's end" : null;
    }
  }

  /** Records that the table lacks in all partitions; null if that is not known. */
  public @Nullable Long lag() {
    long sum = 0;
    for (Partition partition : partitions) {
      Long lag = partition.lag();
      if (lag == null) {
        return null;
      }
      sum += lag;
    }
    return kafkaProblem == null && topicProblem == null ? sum : null;
  }

  /** How many rows the newest commit's record counts; null if it does not say. */
  public @Nullable Long recordedRows() {
    LiveRows live =
        facts == null || facts.commit() == null ? null : facts.commit().record().stats().live();
    return live == null ? null : live.count();
  }

  /** The newest source time of all that is in the table. */
  public Optional<Instant> newestSourceTime() {
    if (facts == null || facts.commit() == null) {
      return Optional.empty();
    }
    long micros = facts.commit().record().stats().maxSourceTimeMicros();
    return micros == Long.MIN_VALUE
        ? Optional.empty()
        : Optional.of(
            Instant.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000L), Math.floorMod(micros, 1_000_000L) * 1000));
  }

  /** How long ago something was. */
  public Duration age(Instant at) {
    return Duration.between(at, now);
  }
}
