package io.tidemark.commit;

import io.tidemark.change.TopicPartition;

/**
 * Offsets that were never read although the table's record is above them, because somebody accepted
 * it.
 *
 * @param from the first of them; at least 0
 * @param to the last of them; at least {@code from}
 */
public record Gap(TopicPartition partition, long from, long to) implements Comparable<Gap> {

  public Gap {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "A gap goes from an offset to a higher one, got " + from + " to " + to);
    }
  }

  @Override
  public int compareTo(Gap other) {
    int order = partition.compareTo(other.partition);
    if (order == 0) {
      order = Long.compare(from, other.from);
    }
    return order != 0 ? order : Long.compare(to, other.to);
  }
}
