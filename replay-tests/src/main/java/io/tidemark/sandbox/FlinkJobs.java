package io.tidemark.sandbox;

import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.config.StartPosition;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Tidemark's job, on Flink in this process. */
final class FlinkJobs implements Jobs {

  @Override
  public Job start(Path configFile, From from) {
    return start(configFile, from, false);
  }

  @Override
  public Job startUntilCaughtUp(Path configFile, From from) {
    return start(configFile, from, true);
  }

  private static Job start(Path configFile, From from, boolean untilCaughtUp) {
    String run = UUID.randomUUID().toString();
    StartFrom place =
        from == From.EARLIEST ? new StartPosition.Earliest() : new StartFrom.Recorded();
    LocalJob job =
        LocalJob.start(
            counted(Settings.read(configFile), run), new RunOptions(untilCaughtUp, place));
    return new FlinkJob(job, run);
  }

  private static Settings counted(Settings settings, String run) {
    Map<String, String> flink = new HashMap<>(settings.flink());
    flink.putAll(SourceCounts.options(run));
    return new Settings(
        settings.name(),
        settings.kafka(),
        settings.catalog(),
        settings.routes(),
        settings.errors(),
        settings.gate(),
        settings.record(),
        settings.tombstones(),
        flink);
  }

  private static final class FlinkJob implements Job {

    private final LocalJob job;
    private final String run;
    private final SourceCounts counts;
    private boolean ended;

    FlinkJob(LocalJob job, String run) {
      this.job = job;
      this.run = run;
      this.counts = SourceCounts.of(run);
    }

    @Override
    public String webUi() {
      return job.webUi();
    }

    @Override
    public boolean isRunning() {
      return job.isRunning();
    }

    @Override
    public long recordsRead() {
      return counts.records();
    }

    @Override
    public void await() {
      try {
        job.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted while the job was running", e);
      }
    }

    @Override
    public void kill() {
      ended = true;
      job.kill();
    }

    @Override
    public void close() {
      SourceCounts.forget(run);
      if (!ended) {
        ended = true;
        job.close();
      }
    }
  }
}
