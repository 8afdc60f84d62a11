package io.tidemark.sandbox;

import java.util.Properties;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Makes {@link SourceCounts} for Flink, which finds it as a service. */
public final class SourceCountsFactory implements MetricReporterFactory {

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return SourceCounts.of(properties.getProperty(SourceCounts.RUN, ""));
  }
}
