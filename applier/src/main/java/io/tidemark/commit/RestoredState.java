package io.tidemark.commit;

import io.tidemark.change.TopicPartition;
import io.tidemark.failure.RefusedException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether a state is one of the job that is given it. That the table belongs to it is another
 * question, which the committer asks the table.
 */
public final class RestoredState {
  private static final String WITHOUT_STATE =
      ". Start without state: it goes on from the table's record and loses nothing";

  private RestoredState() {}

  /**
   * Refuses the state of another job.
   *
   * @param planned what this job was started with, all partitions of its topic among it
   * @param saved what the state knows of partitions
   * @throws RefusedException if they are not of the same topic
   */
  public static void refuseAnotherTopic(Progress planned, Progress saved) {
    Set<String> now = topics(planned);
    Set<String> before = topics(saved);
    if (!now.containsAll(before)) {
      throw new RefusedException(
          "The state is of a job that reads topic "
              + String.join(", ", before)
              + ", this job reads "
              + String.join(", ", now)
              + WITHOUT_STATE);
    }
    for (String topic : before) {
      String id = planned.topicIds().get(topic);
      String known = saved.topicIds().get(topic);
      if (id != null && known != null && !id.equals(known)) {
        throw new RefusedException(
            "Topic "
                + topic
                + " has the id "
                + id
                + ", the state names "
                + known
                + ": the topic was deleted and created anew, or this is another cluster. The state's"
                + " offsets mean nothing in it. If this is another cluster, correct"
                + " kafka.bootstrap.servers. If the topic was created anew, start without state: that"
                + " goes on in it where the table's record names it, and else says how to");
      }
    }
  }

  /**
   * Refuses a run with an end for a state without one, and the other way round: where readers end
   * is part of what they were given when the job began, and does not change with a restore.
   *
   * @param planned where this job ends; nothing for one that goes on
   * @param saved where the job of the state ended
   * @throws RefusedException if only one of them ends
   */
  public static void refuseAnotherEnd(Progress planned, Progress saved) {
    boolean ends = !planned.partitions().isEmpty();
    boolean ended = !saved.partitions().isEmpty();
    if (ends != ended) {
      throw new RefusedException(
          (ended
                  ? "The state is of a run with --until caught-up, whose readers end at "
                      + places(saved)
                      + "; this run has no end"
                  : "The state is of a run without end; this one is to end at " + places(planned))
              + WITHOUT_STATE);
    }
  }

  private static Set<String> topics(Progress progress) {
    return progress.partitions().keySet().stream()
        .map(TopicPartition::topic)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String places(Progress end) {
    return end.partitions().entrySet().stream()
        .map(e -> e.getKey() + "@" + e.getValue().nextOffset())
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
