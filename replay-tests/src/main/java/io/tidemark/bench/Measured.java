package io.tidemark.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * What a process used between two moments.
 *
 * @param cpuSeconds of all its threads, with compiler and garbage collector
 * @param wallSeconds on the clock
 * @param jitSeconds of the compiler, in {@code cpuSeconds} already
 * @param gcSeconds for which the collector says it has worked, on the clock
 */
record Measured(double cpuSeconds, double wallSeconds, double jitSeconds, double gcSeconds) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What this process has used since it began. */
  static Measured now() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long gcMillis =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
            .sum();
    return new Measured(
        system.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1),
        System.nanoTime() / (double) TimeUnit.SECONDS.toNanos(1),
        ManagementFactory.getCompilationMXBean().getTotalCompilationTime() / 1e3,
        gcMillis / 1e3);
  }

  /** What was used since an earlier moment. */
  Measured since(Measured before) {
    return new Measured(
        cpuSeconds - before.cpuSeconds,
        wallSeconds - before.wallSeconds,
        jitSeconds - before.jitSeconds,
        gcSeconds - before.gcSeconds);
  }

  String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e); // four numbers always have a JSON form
    }
  }

  static Measured ofJson(String json) throws JsonProcessingException {
    return JSON.readValue(json, Measured.class);
  }
}
