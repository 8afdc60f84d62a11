package io.tidemark.job;

import io.tidemark.flink.DecodeOperator;
import io.tidemark.flink.DryRunOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a run would change.
 *
 * @param highest by partition the text of the highest commit version that was read
 * @param problems the first records that cannot be decoded, as {@code topic-partition@offset:
 *     reason}; no row values
 */
public record DryRunReport(
    Read read, Rows rows, SortedMap<String, String> highest, List<String> problems) {

  /**
   * What was read. The changes are those of the rows, one for each key, and all that follow here.
   *
   * @param further changes of keys that are counted already
   * @param absent keys without a row whose changes leave them without one, as a delete does
   * @param superseded changes that lose against a higher version
   * @param duplicates changes that are copies of what stands
   * @param tooOld changes of unknown keys from before the horizon
   * @param malformed records that cannot be decoded, which are no changes
   * @param inGaps records that are left out because they lie in accepted gaps; neither are they
   */
  public record Read(
      long changes,
      long further,
      long absent,
      long superseded,
      long duplicates,
      long tooOld,
      long malformed,
      long inGaps) {}

  /**
   * What the table's rows would come to. Keys count once, by what they were before and are after.
   *
   * @param inserted keys without a row that would get one
   * @param updated keys whose row would be replaced
   * @param deleted keys that would lose their row
   */
  public record Rows(long inserted, long updated, long deleted) {}

  static DryRunReport of(Map<String, Object> accumulators) {
    SortedMap<String, String> highest = new TreeMap<>();
    if (accumulators.get(DecodeOperator.HIGHEST_VERSIONS) instanceof Map<?, ?> versions) {
      versions.forEach((tp, version) -> highest.put(String.valueOf(tp), String.valueOf(version)));
    }
    List<String> problems = new ArrayList<>();
    if (accumulators.get(DecodeOperator.PROBLEMS) instanceof List<?> first) {
      first.forEach(problem -> problems.add(String.valueOf(problem)));
    }
    return new DryRunReport(
        new Read(
            count(accumulators, DryRunOperator.CHANGES),
            count(accumulators, DryRunOperator.FURTHER),
            count(accumulators, DryRunOperator.ABSENT),
            count(accumulators, DryRunOperator.SUPERSEDED),
            count(accumulators, DryRunOperator.DUPLICATES),
            count(accumulators, DryRunOperator.TOO_OLD),
            count(accumulators, DecodeOperator.MALFORMED),
            count(accumulators, DecodeOperator.IN_GAPS)),
        new Rows(
            count(accumulators, DryRunOperator.INSERTED),
            count(accumulators, DryRunOperator.UPDATED),
            count(accumulators, DryRunOperator.DELETED)),
        highest,
        List.copyOf(problems));
  }

  private static long count(Map<String, Object> accumulators, String name) {
    return accumulators.get(name) instanceof Long count ? count : 0;
  }
}
