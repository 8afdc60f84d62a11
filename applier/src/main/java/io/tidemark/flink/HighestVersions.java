package io.tidemark.flink;

import java.util.TreeMap;
import org.apache.flink.api.common.accumulators.Accumulator;
import org.apache.flink.api.common.accumulators.SimpleAccumulator;

/** By partition the text of the highest commit version; its order is the order of versions. */
public final class HighestVersions implements SimpleAccumulator<TreeMap<String, String>> {
  private static final long serialVersionUID = 1L;

  private TreeMap<String, String> highest = new TreeMap<>();

  @Override
  public void add(TreeMap<String, String> more) {
    more.forEach(
        (partition, version) ->
            highest.merge(partition, version, (a, b) -> a.compareTo(b) >= 0 ? a : b));
  }

  @Override
  public TreeMap<String, String> getLocalValue() {
    return highest;
  }

  @Override
  public void resetLocal() {
    highest = new TreeMap<>();
  }

  @Override
  public void merge(Accumulator<TreeMap<String, String>, TreeMap<String, String>> other) {
    add(other.getLocalValue());
  }

  @Override
  public HighestVersions clone() {
    HighestVersions copy = new HighestVersions();
    copy.add(highest);
    return copy;
  }
}
