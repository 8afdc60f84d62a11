package io.tidemark.sandbox;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C while a command runs: interrupts the command's thread and lets the process end only when
 * that thread has cleaned up. Made and closed by that thread, closed last.
 */
final class Interruption implements AutoCloseable {

  /** What the thread calls may swallow an interrupt, and so it gets another one after a while. */
  private static final int ATTEMPTS = 4;

  private static final int PATIENCE_SECONDS = 8;

  private final Thread command = Thread.currentThread();
  private final CountDownLatch cleanedUp = new CountDownLatch(1);
  private final Thread hook = new Thread(this::interrupt, "interruption");
  private volatile boolean happened;

  private Interruption() {}

  static Interruption ofThisThread() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /** Whether the command shall end. */
  boolean happened() {
    return happened;
  }

  @Override
  public void close() {
    cleanedUp.countDown();
    if (!happened) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending by another way; the hook finds that all is done.
        Thread.interrupted();
      }
    }
  }

  private void interrupt() {
    if (cleanedUp.getCount() == 0) {
      return;
    }
    happened = true;
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        command.interrupt();
        if (cleanedUp.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          return;
        }
      }
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
