package io.tidemark.commit;

import io.tidemark.change.SourceOffset;
import io.tidemark.change.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Accepted gaps, asked record by record. What lies in one is left out for good, by every reader of
 * the log: the table stands for the log without it, and what came later was ranked without it.
 * Immutable.
 */
public final class Gaps {
  private final Map<TopicPartition, List<Gap>> ofPartition = new HashMap<>();

  /** In any order; they may overlap. */
  public Gaps(Collection<Gap> gaps) {
    for (Gap gap : gaps) {
      ofPartition.computeIfAbsent(gap.partition(), unseen -> new ArrayList<>()).add(gap);
    }
  }

  /** Whether a record is left out. */
  public boolean have(SourceOffset at) {
    return !ofPartition.isEmpty()
        && ofPartition
            .getOrDefault(new TopicPartition(at.topic(), at.partition()), List.of())
            .stream()
            .anyMatch(gap -> gap.from() <= at.offset() && at.offset() <= gap.to());
  }
}
