package io.tidemark.cli.check;

import io.tidemark.commit.UnavailableException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls that must not take for ever. What does not end is left behind in a daemon thread. */
final class Bounded implements AutoCloseable {
  private final ExecutorService thread;
  private final String what;
  private final Duration timeout;

  /**
   * Makes one.
   *
   * @param what what is called and where it is configured, for messages
   */
  Bounded(String what, Duration timeout) {
    this.what = what;
    this.timeout = timeout;
    this.thread =
        Executors.newCachedThreadPool(
            task -> {
              Thread daemon = new Thread(task, "tidemark-bounded");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  <T> T call(Callable<T> callable) {
    Future<T> answer = thread.submit(callable);
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new UnavailableException(
          what + ": no answer within " + timeout.toSeconds() + " s; --timeout waits longer", e);
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new UnavailableException(what + ": interrupted while waiting for an answer", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      throw new UnavailableException(what + ": " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
