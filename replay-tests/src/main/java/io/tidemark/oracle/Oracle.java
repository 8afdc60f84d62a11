package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the table of a log must hold: for each key the change with the highest version. Reads the
 * records once; {@link #fold} then answers for any place in the log.
 */
public final class Oracle {

  private final OracleOptions options;
  private final List<OracleChange> changes = new ArrayList<>();

  /**
   * Reads a log.
   *
   * @param origin where the table began to read
   * @throws IllegalArgumentException if a record cannot be understood
   */
  public Oracle(OracleOptions options, RawLog log, Offsets origin) {
    this.options = options;
    Map<String, Positions> positions = new TreeMap<>();
    for (RawEvent event : log.events()) {
      if (!origin.cover(event)) {
        Positions partition =
            positions.computeIfAbsent(
                event.topic() + "-" + event.partition(), tp -> new Positions(options.scheme()));
        OracleChange change = read(event, partition);
        if (change != null) {
          changes.add(change);
        }
      }
    }
  }

  /** The changes of the log, each partition's in order. */
  public List<OracleChange> changes() {
    return List.copyOf(changes);
  }

  /** The table after all records that lie before a place. */
  public OracleTable fold(Offsets upTo) {
    Map<Map<String, Object>, OracleRow> keys = new LinkedHashMap<>();
    for (OracleChange change : changes) {
      if (upTo.cover(change.event())) {
        keys.merge(change.key(), alone(change), Oracle::join);
      }
    }
    Map<Map<String, Object>, OracleRow> live = new HashMap<>();
    Map<Map<String, Object>, OracleRow> deleted = new HashMap<>();
    keys.forEach((key, row) -> (row.row() == null ? deleted : live).put(key, row));
    return new OracleTable(live, deleted);
  }

  private static OracleRow alone(OracleChange change) {
    return new OracleRow(
        change.row(),
        change.version(),
        new TreeSet<>(List.of(change.version().offset())),
        change.sourceTime());
  }

  private static OracleRow join(OracleRow one, OracleRow other) {
    boolean oneIsHigher = one.version().compareTo(other.version()) >= 0;
    OracleRow higher = oneIsHigher ? one : other;
    OracleRow lower = oneIsHigher ? other : one;
    if (!higher.version().ties(lower.version()) || !Objects.equals(higher.row(), lower.row())) {
      return higher;
    }
    TreeSet<Long> offsets = new TreeSet<>(higher.offsets());
    offsets.addAll(lower.offsets());
    return new OracleRow(higher.row(), higher.version(), offsets, higher.sourceTime());
  }

  private @Nullable OracleChange read(RawEvent event, Positions positions) {
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
    JsonNode fields = options.columns() == null ? value.rowFields() : options.columns();
    if (fields == null) {
      throw new IllegalArgumentException(event.place() + " has no schema and no columns are given");
    }
    boolean nulls = options.unrepresentableIsNull();
    return new OracleChange(
        event,
        key(event, payload, fields),
        op.equals("d") ? null : Envelope.struct(fields, payload.path("after"), nulls),
        positions.next(event, payload),
        sourceTime(payload.path("source")));
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
