package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/** The first {@value #MOST} records that could not be decoded, by partition and offset. */
public final class FirstProblems implements SimpleAccumulator<ArrayList<FirstProblems.Problem>> {
  /** How many are kept, of each subtask and of all. */
  public static final int MOST = 1_000;

  private static final long serialVersionUID = 1L;
  private static final Comparator<Problem> ORDER =
      Comparator.comparing(Problem::topic)
          .thenComparing(Problem::partition)
          .thenComparing(Problem::offset);

  private ArrayList<Problem> first = new ArrayList<>();

  /**
   * A record and what is wrong with it.
   *
   * @param problem what was found and what was expected; no row values
   */
  public record Problem(String topic, int partition, long offset, String problem)
      implements Serializable {

    /** {@code orders-0@17: …}. */
    @Override
    public String toString() {
      return topic + "-" + partition + "@" + offset + ": " + problem;
    }
  }

  /** Takes one, which lies behind those of its partition that were taken before. */
  void add(SourceOffset at, String problem) {
    if (first.size() < MOST) {
      first.add(new Problem(at.topic(), at.partition(), at.offset(), problem));
    }
  }

  @Override
  public void add(ArrayList<Problem> more) {
    List<Problem> all = new ArrayList<>(first);
    all.addAll(more);
    all.sort(ORDER);
    first = new ArrayList<>(all.subList(0, Math.min(MOST, all.size())));
  }

  @Override
  public ArrayList<Problem> getLocalValue() {
    return first;
  }

  @Override
  public void resetLocal() {
    first = new ArrayList<>();
  }

  @Override
  public void merge(Accumulator<ArrayList<Problem>, ArrayList<Problem>> other) {
    add(other.getLocalValue());
  }

  @Override
  public FirstProblems clone() {
    FirstProblems copy = new FirstProblems();
    copy.add(first);
    return copy;
  }
}
