package io.tidemark.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What one start without state came to.
 *
 * @param emptySeconds from the start of a job on a new table to its first commit
 * @param seconds the same on the table that has to be seeded
 * @param cpuSeconds of the process, for the latter
 * @param bytesRead by Iceberg, for the latter
 * @param heapBytes live heap with all marks in state, above the live heap of the job on a new table
 * @param checkpointBytes of the first checkpoint
 * @param diskBytes of RocksDB's files; 0 without it
 */
record SeedingRun(
    double emptySeconds,
    double seconds,
    double cpuSeconds,
    long bytesRead,
    long heapBytes,
    long checkpointBytes,
    long diskBytes) {

  private static final ObjectMapper JSON = new ObjectMapper();

  String toJson() {
    try {
      return JSON.writeValueAsString(this);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e); // numbers always have a JSON form
    }
  }

  static SeedingRun ofJson(String json) {
    try {
      return JSON.readValue(json, SeedingRun.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The process did not print what it measured: " + json, e);
    }
  }
}
