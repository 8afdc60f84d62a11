package io.tidemark.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * What a process used between two moments.
 *
 * @param cpuSeconds of all its threads, compiler and garbage collector included
 * @param wallSeconds on the clock
 */
record Measured(double cpuSeconds, double wallSeconds) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What this process has used since it began. */
  static Measured now() {
    var system =
        (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return new Measured(
        system.getProcessCpuTime() / (double) TimeUnit.SECONDS.toNanos(1),
        System.nanoTime() / (double) TimeUnit.SECONDS.toNanos(1));
  }

  /** What was used since an earlier moment. */
  Measured since(Measured before) {
    return new Measured(cpuSeconds - before.cpuSeconds, wallSeconds - before.wallSeconds);
  }

  String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e); // two numbers always have a JSON form
    }
  }

  static Measured ofJson(String json) throws JsonProcessingException {
    return JSON.readValue(json, Measured.class);
  }
}
