package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Understands raw records, one after the other. The records of a partition must come in the order
 * of their offsets; partitions may come in any order, and mixed.
 */
public final class ChangeReader {

  private final OracleOptions options;
  private final Ranks known;
  private final Epochs epochs;
  private final Map<String, Positions> positions = new HashMap<>();

  /** A reader of logs from their first record on. */
  public ChangeReader(OracleOptions options) {
    this(options, Ranks.NONE, Epochs.NONE);
  }

  /**
   * A reader of logs that have lost their beginning, or in which epochs were begun.
   *
   * @param known the ranks of snapshots that only what is lost could tell
   */
  public ChangeReader(OracleOptions options, Ranks known, Epochs epochs) {
    this.options = options;
    this.known = known;
    this.epochs = epochs;
  }

  /**
   * What a record says.
   *
   * @return null if it says nothing of a row
   * @throws IllegalArgumentException if it cannot be understood
   */
  public @Nullable OracleChange read(RawEvent event) {
    if (event.value() == null) {
      return null; // a tombstone says nothing that the delete before it did not
    }
    Envelope value = Envelope.read(event, event.value());
    JsonNode payload = value.payload();
    String op = payload.path("op").asText();
    if (payload.isNull() || op.equals("m") || isSideTopic(event.topic())) {
      return null;
    }
    if (!List.of("c", "u", "d", "r").contains(op)) {
      throw new IllegalArgumentException(event.place() + " has op \"" + op + "\"");
    }
    JsonNode fields = value.rowFields() == null ? options.columns() : value.rowFields();
    if (fields == null) {
      throw new IllegalArgumentException(event.place() + " has no schema and no columns are given");
    }
    boolean nulls = options.unrepresentableIsNull();
    return new OracleChange(
        event,
        key(event, payload, fields),
        op.equals("d") ? null : row(event, fields, payload.path("after"), nulls),
        positions(event).next(event, payload),
        sourceTime(payload.path("source")));
  }

  private Positions positions(RawEvent event) {
    int epoch = epochs.of(event);
    return positions.computeIfAbsent(
        event.topic() + "-" + event.partition() + "#" + epoch,
        place ->
            new Positions(
                options.scheme(), epoch, known.of(event.topic(), event.partition(), epoch)));
  }

  private static Map<String, @Nullable Object> row(
      RawEvent event, JsonNode fields, JsonNode after, boolean nulls) {
    try {
      return Envelope.struct(fields, after, nulls);
    } catch (ConnectValues.Unrepresentable e) {
      throw new IllegalArgumentException(event.place() + " has a value that no table can hold", e);
    }
  }

  private Map<String, Object> key(RawEvent event, JsonNode payload, JsonNode rowFields) {
    Map<String, Object> key = new TreeMap<>();
    if (options.keyColumns().isEmpty()) {
      if (event.key() == null) {
        throw new IllegalArgumentException(event.place() + " has no key");
      }
      Envelope envelope = Envelope.read(event, event.key());
      JsonNode fields = envelope.schema() == null ? rowFields : envelope.schema().path("fields");
      for (JsonNode field : fields) {
        String name = field.path("field").asText();
        if (envelope.payload().has(name)) {
          put(key, event, name, ConnectValues.of(field, envelope.payload().path(name)));
        }
      }
    } else {
      JsonNode row = payload.path(payload.path("op").asText().equals("d") ? "before" : "after");
      for (JsonNode field : rowFields) {
        String name = field.path("field").asText();
        if (options.keyColumns().contains(name)) {
          put(key, event, name, ConnectValues.of(field, row.path(name)));
        }
      }
    }
    return key;
  }

  private static void put(
      Map<String, Object> key, RawEvent event, String name, @Nullable Object value) {
    if (value == null) {
      throw new IllegalArgumentException(event.place() + " has no " + name + " in its key");
    }
    key.put(name, value);
  }

  private static boolean isSideTopic(String topic) {
    return topic.startsWith("__debezium-heartbeat") || topic.endsWith(".transaction");
  }

  private static @Nullable OffsetDateTime sourceTime(JsonNode source) {
    if (source.path("ts_us").isIntegralNumber()) {
      return at(source.path("ts_us").longValue(), ChronoUnit.MICROS);
    }
    return source.path("ts_ms").isIntegralNumber()
        ? at(source.path("ts_ms").longValue(), ChronoUnit.MILLIS)
        : null;
  }

  private static OffsetDateTime at(long amount, ChronoUnit unit) {
    return Instant.EPOCH.plus(amount, unit).atOffset(ZoneOffset.UTC);
  }
}
