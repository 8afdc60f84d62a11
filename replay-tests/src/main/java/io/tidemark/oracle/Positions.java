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

/**
 * Gives the events of one epoch of a partition their versions. Events must come in the order of
 * offsets.
 */
final class Positions {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FIELD = "field:";

  private final String scheme;
  private final int epoch;
  private final Map<String, long[]> ranks;
  private long[] highWater = {0, 0, 0};
  private long newest = Long.MIN_VALUE;
  private @Nullable Positions withAside;

  /**
   * Positions of an epoch of a partition.
   *
   * @param known ranks of snapshots, by {@link Ranks#name}, that were given before
   */
  Positions(String scheme, int epoch, Map<String, long[]> known) {
    if (!scheme.equals("auto") && !scheme.equals("kafka-offset") && !scheme.startsWith(FIELD)) {
      throw new IllegalArgumentException("No such version scheme: " + scheme);
    }
    this.scheme = scheme;
    this.epoch = epoch;
    this.ranks = new TreeMap<>(known);
  }

  /** From here on these ranks hold, beside those that were given. */
  void know(Map<String, long[]> recorded) {
    recorded.forEach(ranks::putIfAbsent);
  }

  OracleVersion next(RawEvent event, JsonNode payload) {
    if (scheme.equals("kafka-offset")) {
      return new OracleVersion(epoch, 0, 0, 0, 0, event.offset());
    }
    if (scheme.startsWith(FIELD)) {
      long[] p = field(event, payload);
      return new OracleVersion(epoch, p[0], p[1], p[2], 0, event.offset());
    }
    if (payload.path("source").path("connector").asText().equals("mongodb")) {
      return new OracleVersion(epoch, 0, 0, 0, 0, event.offset()); // its topic is its order
    }
    boolean incremental = isIncremental(payload);
    long[] position = SourceOrder.of(event, payload, incremental);
    if (isSnapshotRow(payload)) {
      // The first row of a snapshot fixes the rank of all its rows in this partition.
      long[] rank = ranks.computeIfAbsent(Ranks.name(position), unseen -> highWater);
      return new OracleVersion(epoch, rank[0], rank[1], rank[2], 1, event.offset());
    }
    if (!incremental) {
      position = wasOpenAtTheSnapshot(payload.path("source"), position);
    }
    if (Arrays.compareUnsigned(position, highWater) >= 0) {
      highWater = position;
      if (!incremental) { // whose time is the connector's clock
        newest = Math.max(newest, micros(payload.path("source")));
      }
    }
    return new OracleVersion(epoch, position[0], position[1], position[2], 0, event.offset());
  }

  /**
   * The version of an event that was put aside when its turn came: what followed was ranked without
   * it. Others that were put aside before it count.
   */
  OracleVersion aside(RawEvent event, JsonNode payload) {
    Positions positions = withAside == null ? new Positions(scheme, epoch, ranks) : withAside;
    withAside = positions;
    positions.ranks.putAll(ranks);
    if (Arrays.compareUnsigned(highWater, positions.highWater) > 0) {
      positions.highWater = highWater;
    }
    positions.newest = Math.max(newest, positions.newest);
    return positions.next(event, payload);
  }

  /**
   * Nothing says what committed before the first transaction after a snapshot. If it began long ago
   * but ended later than all that was read, its changes come after all that was read.
   */
  private long[] wasOpenAtTheSnapshot(JsonNode source, long[] position) {
    boolean nothingBefore =
        source.path("connector").asText().equals("postgresql")
            && tree(source.path("sequence").asText("[0]")).path(0).isNull()
            && !source.path("commit_lsn").isNumber();
    if (!nothingBefore || !source.path("txId").isNumber()) {
      return position;
    }
    String name = Ranks.name(new long[] {0, source.path("txId").asLong(), 1});
    if (Arrays.compareUnsigned(position, highWater) <= 0
        && micros(source) > newest
        && !ranks.containsKey(name)) {
      ranks.put(name, highWater);
    }
    long[] below = ranks.get(name);
    if (below == null) {
      return position;
    }
    // Once more where such a transaction is the last that was read.
    long times = Math.max(0, (below[1] >> 56) - 63);
    return new long[] {below[0], position[1] + (1L << 62) + (times << 56), position[2]};
  }

  private static long micros(JsonNode source) {
    JsonNode micros = source.path("ts_us");
    return micros.isNumber() ? micros.longValue() : source.path("ts_ms").asLong() * 1000;
  }

  /** Vitess streams the rows of its snapshots with the changes between them. */
  private static boolean isIncremental(JsonNode payload) {
    JsonNode source = payload.path("source");
    return payload.path("op").asText().equals("r")
        && (source.path("snapshot").asText().equals("incremental")
            || source.path("connector").asText().equals("vitess"));
  }

  private static boolean isSnapshotRow(JsonNode payload) {
    return payload.path("op").asText().equals("r") && !isIncremental(payload);
  }

  private long[] field(RawEvent event, JsonNode payload) {
    String[] path = scheme.substring(FIELD.length()).split("\\.");
    JsonNode at = payload;
    if (payload.has(Flattened.WHOLE)) {
      at = payload.path(Flattened.WHOLE);
    } else if (path.length == 1) { // a column of the row
      at = payload.path(payload.path("op").asText().equals("d") ? "before" : "after");
    }
    for (String name : path) {
      at = at.path(name);
    }
    List<Long> numbers = new ArrayList<>();
    for (JsonNode node : at.isArray() ? at : List.of(at)) {
      @Nullable Long number = SourceOrder.number(node);
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

  static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new IllegalArgumentException("Not JSON: " + json, e);
    }
  }
}
