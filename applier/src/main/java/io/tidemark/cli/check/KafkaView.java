package io.tidemark.cli.check;

import io.tidemark.change.TopicPartition;
import io.tidemark.commit.Progress;
import io.tidemark.debezium.RawRecord;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Kafka cluster, as far as one can look at it without changing it. Every method ends within a
 * bounded time and throws {@link io.tidemark.commit.UnavailableException} if there was no answer.
 */
public interface KafkaView extends AutoCloseable {

  /** All topics but Kafka's internal ones. */
  Set<String> topics();

  /** Settings of a topic that decide what stays in it, by their Kafka names. */
  Map<String, String> config(String topic);

  /** Kafka's own id of a topic; null if the brokers give none. */
  @Nullable String id(String topic);

  /** Which offsets each partition of the topics has. */
  Map<TopicPartition, OffsetRange> ranges(Set<String> topics);

  /**
   * The oldest records of a topic, up to {@code limit}; an empty list if there are none.
   *
   * @param limit at least 1
   */
  List<RawRecord> first(String topic, int limit);

  /**
   * Whether the oldest and newest records of a topic are none of a table's changes; see {@link
   * io.tidemark.job.SideTopics}. It is looked at once.
   */
  boolean isSide(String topic);

  /**
   * Where a topic has other records than those that a table was made from; see {@link
   * io.tidemark.job.SameLog}.
   *
   * @param recorded what the table's record says, of no more than the topic has
   * @return a line for each partition; empty if all are the same, as far as one can tell
   */
  List<String> otherRecords(String topic, Progress recorded);

  @Override
  void close();

  /**
   * Offsets of a partition.
   *
   * @param earliest the oldest record's; the same as {@code latest} if there is none
   * @param latest the one that the next record will have
   */
  record OffsetRange(long earliest, long latest) {}
}
