package io.tidemark.sandbox;

import io.tidemark.script.Workload;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Changes that go on, at an even pace, until they are told to finish. */
final class BackgroundWork implements AutoCloseable {

  private static final int STEP = 100;
  private static final long PAUSE_MILLIS = 40;

  private final Workload workload;
  private final long atLeast;
  private final CompletableFuture<Void> done;
  private volatile boolean finishing;

  private BackgroundWork(Workload workload, long atLeast) {
    this.workload = workload;
    this.atLeast = atLeast;
    this.done = CompletableFuture.runAsync(this::run);
  }

  /**
   * Starts; the workload belongs to it until {@link #finish()} or {@link #close()} returns.
   *
   * @param atLeast how many changes there are at least, however early it is told to finish
   */
  static BackgroundWork start(Workload workload, long atLeast) {
    return new BackgroundWork(workload, atLeast);
  }

  void failIfFailed() {
    if (done.isCompletedExceptionally()) {
      finish();
    }
  }

  /** Waits for the last change. */
  void finish() {
    finishing = true;
    try {
      done.join();
    } catch (CompletionException e) {
      throw new IllegalStateException(
          "The workload has failed: " + Cause.of(e).getMessage(), Cause.of(e));
    }
  }

  @Override
  public void close() {
    finishing = true;
    done.exceptionally(failure -> null).join();
  }

  private void run() {
    long made = 0;
    try {
      while (!finishing || made < atLeast) {
        made += workload.run(STEP);
        if (!finishing) {
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    } catch (SQLException e) {
      throw new CompletionException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }
}
