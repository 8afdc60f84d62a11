package io.tidemark.job;

import io.tidemark.config.Settings;

/** The job on the in-process Flink; a stub on this branch. */
public final class LocalJob implements AutoCloseable {

  private LocalJob() {}

  /** Starts it. */
  public static LocalJob start(Settings settings, RunOptions options) {
    throw new UnsupportedOperationException("stub: " + settings.name() + options);
  }

  /** Address of Flink's web UI. */
  public String webUi() {
    return "";
  }

  /**
   * Blocks until the run ends.
   *
   * @throws JobFailedException with the root cause
   */
  public void await() {}

  /** Whether it has not ended. */
  public boolean isRunning() {
    return false;
  }

  /** Ends it without a checkpoint. */
  public void kill() {}

  @Override
  public void close() {}
}
