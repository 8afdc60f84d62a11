package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gives the events of one partition their versions. Events must come in the order of offsets. */
final class Positions {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FIELD = "field:";

  private final String scheme;
  private final Map<String, long[]> ranks;
  private long[] highWater = {0, 0, 0};
  private long newest = Long.MIN_VALUE;

  /**
   * Positions of a partition.
   *
   * @param known ranks of snapshots, by {@link Ranks#name}, that were given before
   */
  Positions(String scheme, Map<String, long[]> known) {
    if (!scheme.equals("auto") && !scheme.equals("kafka-offset") && !scheme.startsWith(FIELD)) {
      throw new IllegalArgumentException("No such version scheme: " + scheme);
    }
    this.scheme = scheme;
    this.ranks = new TreeMap<>(known);
  }

  OracleVersion next(RawEvent event, JsonNode payload) {
    if (scheme.equals("kafka-offset")) {
      return new OracleVersion(0, 0, 0, 0, 0, event.offset());
    }
    if (scheme.startsWith(FIELD)) {
      long[] p = field(event, payload);
      return new OracleVersion(0, p[0], p[1], p[2], 0, event.offset());
    }
    long[] position = postgres(event, payload);
    if (isSnapshotRow(payload)) {
      // The first row of a snapshot fixes the rank of all its rows in this partition.
      long[] rank = ranks.computeIfAbsent(Ranks.name(position), unseen -> highWater);
      return new OracleVersion(0, rank[0], rank[1], rank[2], 1, event.offset());
    }
    position = wasOpenAtTheSnapshot(payload.path("source"), position);
    if (Arrays.compare(position, highWater) >= 0) {
      highWater = position;
      newest = Math.max(newest, payload.path("source").path("ts_us").asLong());
    }
    return new OracleVersion(0, position[0], position[1], position[2], 0, event.offset());
  }

  /**
   * Nothing says what committed before the first transaction after a snapshot. If it began long ago
   * but ended later than all that was read, its changes come after all that was read.
   */
  private long[] wasOpenAtTheSnapshot(JsonNode source, long[] position) {
    boolean nothingBefore =
        tree(source.path("sequence").asText("[0]")).path(0).isNull()
            && !source.path("commit_lsn").isNumber();
    if (!nothingBefore || !source.path("txId").isNumber()) {
      return position;
    }
    String name = Ranks.name(new long[] {0, source.path("txId").asLong(), 1});
    if (Arrays.compare(position, highWater) <= 0
        && source.path("ts_us").asLong() > newest
        && !ranks.containsKey(name)) {
      ranks.put(name, highWater);
    }
    long[] below = ranks.get(name);
    return below == null ? position : new long[] {below[0], position[1] + (1L << 62), position[2]};
  }

  private static boolean isSnapshotRow(JsonNode payload) {
    return payload.path("op").asText().equals("r")
        && !payload.path("source").path("snapshot").asText().equals("incremental");
  }

  private static long[] postgres(RawEvent event, JsonNode payload) {
    JsonNode source = payload.path("source");
    @Nullable Long previousCommit = null;
    @Nullable Long own = number(source.path("lsn"));
    if (source.path("sequence").isTextual()) {
      JsonNode sequence = tree(source.path("sequence").asText());
      previousCommit = number(sequence.path(0));
      if (own == null) {
        own = number(sequence.path(1));
      }
    }
    if (number(source.path("commit_lsn")) != null) {
      previousCommit = number(source.path("commit_lsn"));
    }
    if (own == null) {
      throw new IllegalArgumentException(event.place() + " has no position");
    }
    @Nullable Long order = number(payload.path("transaction").path("total_order"));
    return new long[] {
      previousCommit == null ? own : previousCommit, own, order == null ? 0 : order
    };
  }

  private long[] field(RawEvent event, JsonNode payload) {
    String[] path = scheme.substring(FIELD.length()).split("\\.");
    // A single name is a column of the row.
    JsonNode at =
        path.length > 1
            ? payload
            : payload.path(payload.path("op").asText().equals("d") ? "before" : "after");
    for (String name : path) {
      at = at.path(name);
    }
    List<Long> numbers = new ArrayList<>();
    for (JsonNode node : at.isArray() ? at : List.of(at)) {
      @Nullable Long number = number(node);
      if (number == null) {
        throw new IllegalArgumentException(event.place() + " has no " + scheme);
      }
      numbers.add(number);
    }
    long[] position = {0, 0, 0};
    for (int i = 0; i < numbers.size(); i++) {
      position[i] = numbers.get(i);
    }
    return position;
  }

  private static @Nullable Long number(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.longValue();
    }
    return node.isTextual() && node.asText().matches("[0-9]+") ? Long.valueOf(node.asText()) : null;
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("Not JSON: " + json, e);
    }
  }
}
