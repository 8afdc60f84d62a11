package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Whether a topic is the one that a table was made from. Offsets of a topic say nothing of another
 * one that has its name.
 */
public final class TopicIdentity {
  private TopicIdentity() {}

  /**
   * Compares Kafka's id of a topic with the one that a table's record names.
   *
   * @param now Kafka's id of the topic; null if the brokers give none
   * @return what is wrong; null if they are equal or one of them is not known
   */
  public static @Nullable String problem(String topic, @Nullable String now, Progress recorded) {
    return problem(topic, now, recorded.topicIds().get(topic));
  }

  private static @Nullable String problem(
      String topic, @Nullable String now, @Nullable String before) {
    if (now == null || before == null || now.equals(before)) {
      return null;
    }
    return "Topic "
        + topic
        + " has the id "
        + now
        + ", the table's record names "
        + before
        + ": the topic was deleted and created anew, or this is another cluster. The recorded offsets"
        + " mean nothing in it";
  }

  /**
   * Refuses another topic of the same name.
   *
   * @throws RefusedException with both ids and what to do
   */
  public static void check(String table, String topic, @Nullable String now, Progress recorded) {
    check(table, topic, now, recorded.topicIds().get(topic));
  }

  /**
   * Refuses another topic of the same name.
   *
   * @param before the id that the table's record names; null if it names none
   * @throws RefusedException with both ids and what to do
   */
  public static void check(
      String table, String topic, @Nullable String now, @Nullable String before) {
    String problem = problem(topic, now, before);
    if (problem != null) {
      throw new RefusedException(
          "Table "
              + table
              + ": "
              + problem
              + ". Nothing was read. If this is another cluster, correct kafka.bootstrap.servers. If"
              + " the topic was created anew, have the source take a new snapshot into it, and begin"
              + " an epoch with it: "
              + NewEpoch.command(new TopicPartition(topic, 0), 0, true)
              + ". Or name a new table in its route");
    }
  }

  /**
   * Refuses what a job read of another topic of the same name, which took its place meanwhile.
   *
   * @param now Kafka's id of the topic; null if the brokers give none
   * @param read the id of the topic that the job began to read
   * @throws RefusedException with both ids and what to do
   */
  public static void checkWhileRead(String topic, @Nullable String now, String read) {
    if (now != null && !now.equals(read)) {
      throw new RefusedException(
          "Topic "
              + topic
              + " has the id "
              + now
              + " now, this job began to read the one with the id "
              + read
              + ": it was deleted and created anew while the job ran. What was read since the last"
              + " commit may be of the new one, and none of it was committed. Start without state"
              + " (./tidemark run -c FILE; on a cluster, submit the job without a savepoint): the"
              + " start says how to go on in the new topic");
    }
  }
}
