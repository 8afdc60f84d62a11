package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.oracle.RawEvent;
import io.tidemark.oracle.RawLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts what a connector really sent of {@code shop.orders}: a run that lacks it proves nothing.
 */
final class LogFacts {

  static final String INCREMENTAL = "rows of incremental snapshots";
  static final String WHOLE = "rows of whole snapshots";
  static final String AGAIN = "changes that were sent again";
  static final String FILES = "rotations of the log";
  static final String COPIED = "rows of COPY that share a position";
  static final String BELOW_SNAPSHOT = "changes below a snapshot's own position that follow it";
  static final String BELOW_CHUNK = "changes below a chunk's own position that follow it";
  static final String LEFT_OUT = "updates that leave values out";
  static final String LEFT_BEHIND = "changed keys that leave values out";
  static final String SAME_PLACE = "changes of a key at the position of the one before";
  static final String CLAIMED = "changes that claim to be rows of a snapshot";
  static final String LOWER_ROW = "changes of a key with a lower row number than the one before";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UNAVAILABLE = "__debezium_unavailable_value";
  private static final String IN_BASE64 =
      Base64.getEncoder().encodeToString(UNAVAILABLE.getBytes(StandardCharsets.US_ASCII));
  private static final long WAL_SEGMENT = 16 << 20;

  private final Map<String, Long> counts = new TreeMap<>();
  private final Set<String> files = new HashSet<>();
  private final Set<String> sent = new HashSet<>();
  private final Map<String, JsonNode> lastAt = new HashMap<>();
  private final Map<Integer, Long> snapshotAt = new HashMap<>();
  private final Map<String, JsonNode> chunkAt = new HashMap<>();
  private final Map<Long, Long> copiedAt = new HashMap<>();

  private LogFacts() {}

  /** By kind how many records of it there are. */
  static Map<String, Long> of(RawLog log) {
    LogFacts facts = new LogFacts();
    facts.counts.put(INCREMENTAL, 0L);
    facts.counts.put(CLAIMED, 0L);
    for (RawEvent event : log.events()) {
      if (event.value() != null && event.key() != null) {
        String key = new String(event.key(), StandardCharsets.UTF_8);
        facts.count(event.partition(), key, tree(event.value()).path("payload"));
      }
    }
    facts.counts.put(FILES, facts.files.size() - 1L);
    facts.counts.put(
        COPIED,
        facts.copiedAt.values().stream().filter(rows -> rows > 1).mapToLong(rows -> rows).sum());
    return facts.counts;
  }

  private void count(int partition, String key, JsonNode payload) {
    String op = payload.path("op").asText();
    JsonNode source = payload.path("source");
    JsonNode row = payload.path("after");
    boolean postgres = source.path("connector").asText().equals("postgresql");
    if (op.equals("r")) {
      boolean incremental = source.path("snapshot").asText().equals("incremental");
      one(incremental ? INCREMENTAL : WHOLE);
      if (incremental && postgres) {
        chunkAt.put(key, sequence(source));
      } else if (postgres) {
        snapshotAt.put(partition, source.path("lsn").asLong());
      }
      return;
    }
    if (source.path("snapshot").asText().equals("true")) {
      one(CLAIMED);
    }
    if (!sent.add(key + op + row + position(source))) {
      one(AGAIN);
      return;
    }
    if (!op.equals("d") && leavesOut(row)) {
      one(op.equals("u") ? LEFT_OUT : LEFT_BEHIND);
    }
    if (postgres) {
      postgres(partition, key, row, source);
    } else {
      files.add(source.path("file").asText());
      JsonNode before = lastAt.put(key, source);
      if (before != null && position(source).equals(position(before))) {
        one(SAME_PLACE);
        if (source.path("row").asInt() < before.path("row").asInt()) {
          one(LOWER_ROW);
        }
      }
    }
  }

  private void postgres(int partition, String key, JsonNode row, JsonNode source) {
    long lsn = source.path("lsn").asLong();
    files.add(String.valueOf(lsn / WAL_SEGMENT));
    if (row.path("name").asText().equals("copied") && row.path("n").isNumber()) {
      copiedAt.merge(lsn, 1L, Long::sum);
    }
    JsonNode sequence = sequence(source);
    JsonNode chunk = chunkAt.remove(key);
    if (chunk != null && chunk.path(0).equals(sequence.path(0)) && lsn < chunk.path(1).asLong()) {
      one(BELOW_CHUNK);
    }
    if (sequence.path(0).isNull() && lsn < snapshotAt.getOrDefault(partition, 0L)) {
      one(BELOW_SNAPSHOT);
    }
  }

  private void one(String kind) {
    counts.merge(kind, 1L, Long::sum);
  }

  private static boolean leavesOut(JsonNode row) {
    return RandomOrders.LARGE.stream()
        .anyMatch(
            column -> {
              String value = row.path(column).asText();
              return value.equals(UNAVAILABLE) || value.equals(IN_BASE64);
            });
  }

  private static JsonNode sequence(JsonNode source) {
    return tree(source.path("sequence").asText("[]").getBytes(StandardCharsets.UTF_8));
  }

  private static String position(JsonNode source) {
    return source.path("sequence").asText()
        + source.path("file").asText()
        + ":"
        + source.path("pos").asText();
  }

  private static JsonNode tree(byte[] json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
