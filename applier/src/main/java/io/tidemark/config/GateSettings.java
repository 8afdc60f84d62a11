package io.tidemark.config;

import java.util.List;

/**
 * How much is coalesced before it is written.
 *
 * @param memoryBytes what one subtask holds of changes that are not written yet; at least 1 MiB
 */
public record GateSettings(long memoryBytes) {

  static final Key<Long> MEMORY =
      Key.optional(
          "gate.memory",
          Quantities.MEMORY,
          "64mb",
          "Memory that one subtask uses to hold the newest change of each key between checkpoints."
              + " When it is full, changes are written early. At least 1mb.");

  static final List<Key<?>> KEYS = List.of(MEMORY);

  private static final long MIN_BYTES = 1 << 20;

  public GateSettings {
    if (memoryBytes < MIN_BYTES) {
      throw new IllegalArgumentException("memory must be at least 1 MiB, got " + memoryBytes);
    }
  }

  static GateSettings read(Section section) {
    long bytes = section.get(MEMORY);
    if (bytes < MIN_BYTES) {
      section.refuse(MEMORY, "found " + section.shown(MEMORY) + ", expected at least 1mb");
    }
    return new GateSettings(Math.max(bytes, MIN_BYTES));
  }
}
