package io.tidemark.flink;

/**
 * Headers that a dead letter has beside those of its record. Whoever corrects a record produces it
 * with the same ones, but for {@link #PROBLEM}.
 */
public final class LetterHeaders {
  /** All of them begin so. */
  public static final String PREFIX = "tidemark.";

  /** Name of the topic that the record was read from. */
  public static final String TOPIC = "tidemark.topic";

  /** Kafka's own id of that topic, which one that is created anew does not keep. */
  public static final String TOPIC_ID = "tidemark.topic-id";

  /** The record's partition, decimal. */
  public static final String PARTITION = "tidemark.partition";

  /** The record's offset, decimal. */
  public static final String OFFSET = "tidemark.offset";

  /** The record's timestamp, milliseconds since the epoch, decimal. */
  public static final String TIMESTAMP = "tidemark.timestamp";

  /**
   * What the record's version follows from: what was known of its partition when it was read for
   * the first time ({@link io.tidemark.commit.ProgressText}), or the version itself.
   */
  public static final String RANKS = "tidemark.ranks";

  /** Why the job put the record aside. A letter without it is somebody's correction. */
  public static final String PROBLEM = "tidemark.problem";

  /** Any value: the record is to be left out for good. */
  public static final String DROP = "tidemark.drop";

  private LetterHeaders() {}
}
