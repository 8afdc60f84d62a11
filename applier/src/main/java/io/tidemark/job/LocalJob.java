package io.tidemark.job;

import io.tidemark.change.TopicPartition;
import io.tidemark.config.Settings;
import io.tidemark.flink.DecodeOperator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job on Flink in this process. It starts without Flink state: from the table's own record.
 *
 * <p>Safe for use by several threads.
 */
public final class LocalJob implements AutoCloseable {
  private final LocalCluster cluster;
  private final @Nullable Long toRead;
  private final @Nullable String startsFrom;

  private LocalJob(LocalCluster cluster, JobPlan plan) {
    this.cluster = cluster;
    this.toRead = toRead(plan.source());
    this.startsFrom = plan.startsFrom();
  }

  /**
   * Plans a start from what Kafka and the table say, and starts.
   *
   * @throws io.tidemark.config.ConfigException if the settings do not fit what is found
   * @throws io.tidemark.failure.RefusedException if starting could lose or double something
   * @throws io.tidemark.commit.UnavailableException if the broker or the catalog does not answer
   * @throws JobFailedException if Flink does not start
   */
  public static LocalJob start(Settings settings, RunOptions options) {
    JobPlan plan = Planner.plan(settings, options, false);
    LocalCluster cluster = LocalCluster.start(settings.flink());
    try {
      cluster.submit(settings.name(), env -> Pipeline.build(env, plan));
      return new LocalJob(cluster, plan);
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Reads up to what is in Kafka now, joins it with the table and counts what would change. Nothing
   * is written: no file, no commit, no table, no dead letter.
   *
   * @throws io.tidemark.config.ConfigException if the settings do not fit what is found
   * @throws io.tidemark.failure.RefusedException if a run would be refused
   * @throws io.tidemark.commit.UnavailableException if the broker or the catalog does not answer
   * @throws JobFailedException if a run would fail
   */
  public static DryRunReport dryRun(Settings settings, RunOptions options)
      throws InterruptedException {
    DryRunPlan plan = Planner.planDryRun(settings, options);
    try (LocalCluster cluster =
        LocalCluster.start(JobConfiguration.withoutCheckpoints(settings.flink()))) {
      cluster.submit(settings.name() + " (dry run)", env -> Pipeline.buildDryRun(env, plan));
      return DryRunReport.of(cluster.await());
    }
  }

  /** Address of Flink's web UI. */
  public String webUi() {
    return cluster.webUi();
  }

  /**
   * What a run came to.
   *
   * @param read offsets between where it began and where it was to end; null if it had no end
   * @param startsFrom commit-id of the record that it began at; null for a table without one
   * @param aside records that were put aside or skipped, see {@link Health#aside}
   * @param inGaps records that were left out because they lie in gaps that somebody accepted
   */
  public record Outcome(
      @Nullable Long read, @Nullable String startsFrom, long aside, long inGaps) {}

  /**
   * How the job is.
   *
   * @param aside records that were put aside or skipped since the job, or Flink, last started it;
   *     what was known some seconds ago
   * @param inGaps the same of records that were left out because they lie in accepted gaps
   * @param failedAt when it failed last, in ms since 1970-01-01T00:00:00Z, if Flink starts it again
   *     or has; null if it never failed, or has failed for good
   * @param failure why; null where {@code failedAt} is
   */
  public record Health(
      long aside, long inGaps, @Nullable Long failedAt, @Nullable Throwable failure) {}

  /** Asks Flink; null if it does not answer, as at the end. */
  public @Nullable Health health() throws InterruptedException {
    LocalCluster.Health health = cluster.health();
    return health == null
        ? null
        : new Health(
            count(health.accumulators(), DecodeOperator.ASIDE),
            count(health.accumulators(), DecodeOperator.IN_GAPS),
            health.failedAt(),
            health.failure());
  }

  private static long count(Map<String, Object> accumulators, String name) {
    return accumulators.get(name) instanceof Long count ? count : 0;
  }

  /**
   * Waits until the job is over.
   *
   * @throws JobFailedException if it failed or was cancelled
   */
  public Outcome await() throws InterruptedException {
    Map<String, Object> accumulators = cluster.await();
    return new Outcome(
        toRead,
        startsFrom,
        count(accumulators, DecodeOperator.ASIDE),
        count(accumulators, DecodeOperator.IN_GAPS));
  }

  private static @Nullable Long toRead(JobPlan.Source source) {
    Map<TopicPartition, Long> until = source.until();
    if (until == null) {
      return null;
    }
    long read = 0;
    for (Map.Entry<TopicPartition, Long> end : until.entrySet()) {
      read += Math.max(0, end.getValue() - source.from().getOrDefault(end.getKey(), 0L));
    }
    return read;
  }

  /** Whether the job is not over yet. */
  public boolean isRunning() {
    return cluster.isRunning();
  }

  /** Tears Flink down, wherever the job is. All its state is lost. */
  public void kill() {
    cluster.close();
  }

  /** The same as {@link #kill()}: a job needs no orderly end, the table's record is enough. */
  @Override
  public void close() {
    cluster.close();
  }
}
