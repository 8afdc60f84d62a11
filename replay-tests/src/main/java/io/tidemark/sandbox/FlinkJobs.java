package io.tidemark.sandbox;

import io.tidemark.config.Settings;
import io.tidemark.config.StartFrom;
import io.tidemark.config.StartPosition;
import io.tidemark.job.LocalJob;
import io.tidemark.job.RunOptions;
import java.nio.file.Path;

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
    StartFrom place =
        from == From.EARLIEST ? new StartPosition.Earliest() : new StartFrom.Recorded();
    return new FlinkJob(
        LocalJob.start(Settings.read(configFile), new RunOptions(untilCaughtUp, place)));
  }

  private record FlinkJob(LocalJob job) implements Job {

    @Override
    public String webUi() {
      return job.webUi();
    }

    @Override
    public boolean isRunning() {
      return job.isRunning();
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
      job.kill();
    }

    @Override
    public void close() {
      job.close();
    }
  }
}
