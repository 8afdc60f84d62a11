package io.tidemark.cli;

import io.tidemark.job.LocalJob;
import java.io.PrintWriter;

/** Ends the job when the process is asked to end: Ctrl-C, or SIGTERM. */
final class Shutdown implements AutoCloseable {
  private final LocalJob job;
  private final PrintWriter out;
  private final Thread hook;
  private volatile boolean asked;

  private Shutdown(LocalJob job, PrintWriter out) {
    this.job = job;
    this.out = out;
    this.hook = new Thread(this::stop, "tidemark-shutdown");
  }

  static Shutdown of(LocalJob job, PrintWriter out) {
    Shutdown shutdown = new Shutdown(job, out);
    Runtime.getRuntime().addShutdownHook(shutdown.hook);
    return shutdown;
  }

  boolean wasAsked() {
    return asked;
  }

  private void stop() {
    asked = true;
    out.println();
    out.println("Stopping. What is committed stays; the next run goes on from the table's record.");
    out.flush();
    job.close();
  }

  @Override
  public void close() {
    if (!asked) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        asked = true; // the process is ending already, and the hook runs
      }
    }
  }
}
