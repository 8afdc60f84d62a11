package io.tidemark.oracle;

import java.util.List;
import java.util.stream.Collectors;

/**
 * What a check of a table found.
 *
 * @param snapshots how many snapshots were looked at
 * @param recorded how many of them carry a record and were compared with the log
 * @param rows rows compared, over all snapshots
 * @param problems the first differences, with the invariant that each breaks; empty if there are
 *     none
 * @param omitted how many more there are
 */
public record TableReport(
    int snapshots, int recorded, long rows, List<String> problems, int omitted) {

  public TableReport {
    problems = List.copyOf(problems);
  }

  /** Whether everything held. */
  public boolean isClean() {
    return problems.isEmpty();
  }

  /**
   * Refuses a table that breaks an invariant.
   *
   * @throws AssertionError with the first differences
   */
  public TableReport orThrow() {
    if (!isClean()) {
      throw new AssertionError(toString());
    }
    return this;
  }

  @Override
  public String toString() {
    String counts =
        snapshots + " snapshots, " + recorded + " with a record, " + rows + " rows compared";
    if (isClean()) {
      return counts + ", no differences";
    }
    return problems.stream()
        .collect(
            Collectors.joining(
                "\n  ",
                counts + "; differences:\n  ",
                omitted == 0 ? "" : "\n  and " + omitted + " more"));
  }
}
