package io.tidemark.sandbox;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;

/**
 * How many records the sources of a job have read by Flink's own counters, which start at zero with
 * each job: recorded offsets cannot show that something was read a second time.
 */
final class SourceCounts implements MetricReporter {

  static final String RUN = "run";

  private static final String REPORTER = "metrics.reporter.source-counts.";
  private static final String SOURCE_OPERATOR = "Source: ";
  private static final Map<String, SourceCounts> RUNS = new ConcurrentHashMap<>();

  private final Collection<Counter> counters = new ConcurrentLinkedQueue<>();

  private SourceCounts() {}

  /** The counts of one run, the same for the same name until they are forgotten. */
  static SourceCounts of(String run) {
    return RUNS.computeIfAbsent(run, unseen -> new SourceCounts());
  }

  static void forget(String run) {
    RUNS.remove(run);
  }

  /** Flink's options that make it report here. */
  static Map<String, String> options(String run) {
    return Map.of(
        REPORTER + "factory.class", SourceCountsFactory.class.getName(), REPORTER + RUN, run);
  }

  /** Records read by all tasks; exact once the job is over. */
  long records() {
    return counters.stream().mapToLong(Counter::getCount).sum();
  }

  @Override
  public void open(MetricConfig config) {}

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    String operator = group.getAllVariables().getOrDefault("<operator_name>", "");
    if (metric instanceof Counter counter
        && name.equals("numRecordsIn")
        && operator.startsWith(SOURCE_OPERATOR)) {
      counters.add(counter);
    }
  }

  /** A task's counter still counts when the task is gone. */
  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
}
