package io.tidemark.config;

import java.util.List;

/**
 * How much is coalesced before it is written.
 *
 * @param memoryBytes what one subtask holds of changes that are not written yet; at least 1 MiB
 * @param keepRowsFromBytes once a source has left out a column, rows of at least so many bytes are
 *     kept in state; at least 0
 */
public record GateSettings(long memoryBytes, int keepRowsFromBytes) {

  static final Key<Long> MEMORY =
      Key.optional(
          "gate.memory",
          Quantities.MEMORY,
          "64mb",
          "Memory that one subtask uses to hold the newest change of each key between checkpoints."
              + " When it is full, changes are written early. At least 1mb.");

  static final Key<Long> KEEP_ROWS_FROM =
      Key.optional(
          "gate.keep-rows-from",
          Quantities.MEMORY,
          "1kb",
          "Once a source has left a column out of an update (TOAST), rows of at least this size are"
              + " kept in Flink's state, so that the next such update finds the value there. What is"
              + " not kept is read from the table. At most 1gb.");

  static final List<Key<?>> KEYS = List.of(MEMORY, KEEP_ROWS_FROM);

  private static final long MIN_BYTES = 1 << 20;
  private static final long MAX_ROW_BYTES = 1 << 30;

  public GateSettings {
    if (memoryBytes < MIN_BYTES) {
      throw new IllegalArgumentException("memory must be at least 1 MiB, got " + memoryBytes);
    }
    if (keepRowsFromBytes < 0) {
      throw new IllegalArgumentException(
          "keepRowsFrom must be at least 0, got " + keepRowsFromBytes);
    }
  }

  static GateSettings read(Section section) {
    long bytes = section.get(MEMORY);
    if (bytes < MIN_BYTES) {
      section.refuse(MEMORY, "found " + section.shown(MEMORY) + ", expected at least 1mb");
    }
    long keepFrom = section.get(KEEP_ROWS_FROM);
    if (keepFrom > MAX_ROW_BYTES) {
      section.refuse(
          KEEP_ROWS_FROM, "found " + section.shown(KEEP_ROWS_FROM) + ", expected at most 1gb");
    }
    return new GateSettings(Math.max(bytes, MIN_BYTES), (int) Math.min(keepFrom, MAX_ROW_BYTES));
  }
}
