package io.tidemark.sandbox;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How far the log is applied to a table, as the table's own snapshot says.
 *
 * @param commitId identity of the commit
 * @param nextOffsets for each partition of the topic the offset of the first record that is not
 *     applied
 */
record RecordedOffsets(String commitId, NavigableMap<Integer, Long> nextOffsets) {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads a snapshot's summary; nothing if it carries no record. */
  static Optional<RecordedOffsets> in(Map<String, String> summary) {
    String commitId = summary.get("tidemark.commit-id");
    String offsets = summary.get("tidemark.offsets");
    if (commitId == null || offsets == null) {
      return Optional.empty();
    }
    NavigableMap<Integer, Long> next = new TreeMap<>();
    try {
      for (JsonNode topic : JSON.readTree(offsets)) {
        topic
            .properties()
            .forEach(entry -> next.put(Integer.valueOf(entry.getKey()), entry.getValue().asLong()));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("The recorded offsets cannot be read: " + offsets, e);
    }
    return Optional.of(new RecordedOffsets(commitId, next));
  }

  /** How many records of the topic are applied. */
  long total() {
    return total(nextOffsets);
  }

  /** Whether the record at a position is applied. */
  boolean includes(int partition, long offset) {
    return nextOffsets.getOrDefault(partition, 0L) > offset;
  }

  static long total(Map<Integer, Long> offsets) {
    return offsets.values().stream().mapToLong(Long::longValue).sum();
  }
}
