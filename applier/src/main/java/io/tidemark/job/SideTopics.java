package io.tidemark.job;

import io.tidemark.config.Topics;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Topics of what Debezium writes beside the changes of tables: transactions, heartbeats, changes of
 * schemas, logical messages. A pattern may match them; no table is made of them.
 *
 * <p>Their records tell them. A topic of another kind that looks like one at both ends of its
 * partitions, and one that gets changes of a table later, is to a job what a topic is that comes
 * later: nothing of it was read, so that nothing of it is lost, and the next start looks again.
 */
public final class SideTopics {
  /** What a topic that was left out is. */
  public static final String WHY =
      "their oldest and newest records are heartbeats, transactions, changes of schemas or logical"
          + " messages, and change no row";

  private SideTopics() {}

  /**
   * What becomes of topics.
   *
   * @param tables those that are taken for tables'
   * @param side those that are left out
   */
  public record Choice(SortedSet<String> tables, SortedSet<String> side) {}

  /**
   * Leaves out those that hold no table's changes. One that was named is never left out, nor all of
   * them; and where two are tables', what the others are is of no interest.
   *
   * @param matching the topics that are there and that {@code wanted} contains
   * @param isSide looks into a topic; false also of one that has no records
   */
  public static Choice choose(Topics wanted, Set<String> matching, Predicate<String> isSide) {
    SortedSet<String> tables = new TreeSet<>(matching);
    SortedSet<String> side = new TreeSet<>();
    if (wanted instanceof Topics.Matching && matching.size() > 1) {
      int found = 0;
      for (String topic : new TreeSet<>(matching)) {
        if (found < 2 && isSide.test(topic)) {
          side.add(topic);
        } else {
          found++;
        }
      }
    }
    if (side.size() == matching.size()) {
      side.clear();
    }
    tables.removeAll(side);
    return new Choice(tables, side);
  }
}
