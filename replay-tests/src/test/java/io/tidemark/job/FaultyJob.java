package io.tidemark.job;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.Lineage;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.UnavailableException;
import io.tidemark.commit.WrittenFiles;
import io.tidemark.config.Settings;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.merge.BatchWriter;
import io.tidemark.merge.Placement;
import io.tidemark.merge.Winner;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The real job, with tasks that fail now and then: a decoder at a record, a writer before or after
 * its files are closed, the committer before or after the table has the commit. Flink restarts it
 * each time. One job at a time.
 */
public final class FaultyJob implements AutoCloseable {

  private static final Faults FAULTS = new Faults();

  private final LocalCluster cluster;

  private FaultyJob(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Starts.
   *
   * @param faults how many tasks are to fail in all
   */
  public static FaultyJob start(Settings settings, RunOptions options, long seed, int faults) {
    FAULTS.reset(seed, faults);
    JobPlan plan = planted(Planner.plan(settings, options));
    LocalCluster cluster = LocalCluster.start(settings.flink());
    cluster.submit(settings.name(), env -> Pipeline.build(env, plan));
    return new FaultyJob(cluster);
  }

  /** How many tasks have failed. */
  public static int failed() {
    return FAULTS.failed.get();
  }

  /** Waits for its end. */
  public void await() throws InterruptedException {
    cluster.await();
  }

  /** Whether it still runs. */
  public boolean isRunning() {
    return cluster.isRunning();
  }

  @Override
  public void close() {
    cluster.close();
  }

  private static JobPlan planted(JobPlan plan) {
    Decoder.Factory decoders = plan.decoding().decoders();
    CommitOperator.LedgerFactory ledgers = plan.table().ledgers();
    return new JobPlan(
        plan.name(),
        plan.source(),
        new JobPlan.Decoding(
            () -> {
              Decoder real = decoders.open();
              return record -> {
                FAULTS.maybe("decoder", 400);
                return real.decode(record);
              };
            },
            plan.decoding().policy(),
            plan.decoding().deadLetterTopic()),
        new JobPlan.Table(
            new FaultyWriters(plan.table().writers()),
            plan.table().seed(),
            () -> new FaultyLedger(ledgers.open()),
            plan.table().gateBudgetBytes(),
            plan.table().recordInterval(),
            plan.table().memory()),
        plan.known(),
        plan.start(),
        plan.startsFrom());
  }

  /** Where and how often something fails; seeded, but threads decide who meets it. */
  private static final class Faults {
    private final AtomicInteger failed = new AtomicInteger();
    private Random random = new Random(0);
    private int most;

    synchronized void reset(long seed, int faults) {
      random = new Random(seed);
      most = faults;
      failed.set(0);
    }

    synchronized void maybe(String where, int oneIn) {
      if (failed.get() < most && random.nextInt(oneIn) == 0) {
        throw new UnavailableException(
            "planted fault no. " + failed.incrementAndGet() + " in the " + where, null);
      }
    }
  }

  private record FaultyLedger(TableLedger real) implements TableLedger {
    @Override
    public @Nullable CommitRecord last() {
      return real.last();
    }

    @Override
    public Lineage lineage(String commitId) {
      return real.lineage(commitId);
    }

    @Override
    public @Nullable String missing(List<Batch> batches) {
      return real.missing(batches);
    }

    @Override
    public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
      FAULTS.maybe("committer before the commit", 4);
      CommitRecord landed = real.commit(batches, record);
      FAULTS.maybe("committer after the commit", 4);
      return landed;
    }

    @Override
    public void close() {
      real.close();
    }
  }

  private record FaultyWriters(BatchWriter.Factory real) implements BatchWriter.Factory {
    private static final long serialVersionUID = 1L;

    @Override
    public BatchWriter open(int subtask, int attempt) {
      BatchWriter writer = real.open(subtask, attempt);
      return new BatchWriter() {
        @Override
        public WrittenFiles write(List<Winner> winners) throws IOException {
          FAULTS.maybe("writer before its files", 8);
          WrittenFiles files = writer.write(winners);
          FAULTS.maybe("writer after its files", 8);
          return files;
        }

        @Override
        public void close() throws IOException {
          writer.close();
        }
      };
    }

    @Override
    public Placement placement() {
      return real.placement();
    }
  }
}
