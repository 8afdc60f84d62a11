package io.tidemark;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * How many bytes the calling thread allocated, garbage too: at least what it held at any time. The
 * JVM counts them, so that neither the collector nor the clock decides.
 */
public final class Allocated {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /**
   * What something came to, and what it took.
   *
   * @param bytes allocated by the thread that did it
   */
  public record Result<T>(T value, long bytes) {}

  private Allocated() {}

  /** Does something in the calling thread. */
  public static <T> Result<T> by(Supplier<T> task) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    T value = task.get();
    return new Result<>(value, THREADS.getCurrentThreadAllocatedBytes() - before);
  }
}
