package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Understands raw records, one after the other. The records of a partition must come in the order
 * of their offsets; partitions may come in any order, and mixed.
 */
public final class ChangeReader {

  private final OracleOptions options;
  private final Placeholder placeholder;
  private final Declared declared;
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
    this.placeholder = new Placeholder(options.placeholder());
    this.declared = new Declared(options.columns());
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
    return read(event, false);
  }

  /**
   * What a record says that was put aside when its turn came: now, with nothing after it read yet.
   *
   * @return null if it says nothing of a row
   * @throws IllegalArgumentException if it cannot be understood
   */
  public @Nullable OracleChange readAside(RawEvent event) {
    return read(event, true);
  }

  /**
   * The same of a record that a job does not apply now. One with other settings may have: snapshots
   * of the source that come after it in its partition rank as the table has them.
   *
   * @return null if it says nothing of a row
   * @throws IllegalArgumentException if it cannot be understood
   */
  public @Nullable OracleChange readRefused(RawEvent event, Ranks recorded) {
    positions(event).know(recorded.of(event.topic(), event.partition(), epochs.of(event)));
    return read(event, true);
  }

  private @Nullable OracleChange read(RawEvent event, boolean aside) {
    Envelope value = options.format().value(event, options.columns());
    JsonNode payload = value == null ? NullNode.instance : value.payload();
    String op = payload.path("op").asText();
    // A truncate names no key: a table goes past one only where its rows are to stay.
    if (value == null
        || List.of("m", "t").contains(op)
        || isSideTopic(event.topic())
        || isSideRecord(payload)) {
      return null;
    }
    if (!List.of("c", "u", "d", "r").contains(op)) {
      throw new IllegalArgumentException(event.place() + " has op \"" + op + "\"");
    }
    if (Documents.isOne(payload)) {
      return document(event, payload, op, aside);
    }
    JsonNode sent = value.rowFields();
    JsonNode fields = sent == null ? options.columns() : declared.over(sent);
    if (fields == null) {
      throw new IllegalArgumentException(event.place() + " has no schema and no columns are given");
    }
    Map<String, Object> key = key(event, payload, fields);
    if (!op.equals("d")) {
      OneKey.require(event, payload, key, fields);
    }
    Set<String> unsent = op.equals("d") ? Set.of() : unsent(event, payload, op, key.keySet());
    return new OracleChange(
        event,
        key,
        op.equals("d") ? null : row(event, fields, payload.path("after"), key, unsent),
        version(event, payload, aside),
        sourceTime(event, payload),
        unsent,
        !op.equals("u"));
  }

  private OracleVersion version(RawEvent event, JsonNode payload, boolean aside) {
    Positions positions = positions(event);
    return aside ? positions.aside(event, payload) : positions.next(event, payload);
  }

  private @Nullable OracleChange document(
      RawEvent event, JsonNode payload, String op, boolean aside) {
    byte[] bytes = event.key();
    if (bytes == null) {
      throw new IllegalArgumentException(event.place() + " has no key");
    }
    Map<String, Object> key = Documents.key(event, options.format().key(event, bytes).payload());
    Map<String, @Nullable Object> row = Documents.row(key, payload);
    if (row == null && op.equals("u")) {
      return null; // the document was gone when it was looked for: its delete says so
    }
    return new OracleChange(
        event,
        key,
        op.equals("d") ? null : row,
        version(event, payload, aside),
        sourceTime(event, payload),
        Set.of(),
        true);
  }

  private Set<String> unsent(RawEvent event, JsonNode payload, String op, Set<String> keyColumns) {
    Set<String> unsent = new TreeSet<>();
    payload
        .path("after")
        .properties()
        .forEach(
            column -> {
              if (!keyColumns.contains(column.getKey()) && placeholder.is(column.getValue())) {
                unsent.add(column.getKey());
              }
            });
    return isWhole(event, payload, op) ? Set.of() : unsent;
  }

  /**
   * PostgreSQL's server leaves values out of updates alone. To the connector a changed key is a
   * delete and an insert, the latter with the old key in a header; all other inserts and what a
   * snapshot reads are whole, and the user's own text may be that of the placeholder. MySQL's,
   * MariaDB's, Vitess's and Db2's connectors of 1.x, 2.x and 3.0 to 3.6 have no placeholder.
   */
  private static boolean isWhole(RawEvent event, JsonNode payload, String op) {
    JsonNode source = payload.path("source");
    String connector = source.path("connector").asText();
    if (List.of("mysql", "mariadb", "vitess", "db2").contains(connector)) {
      return source.path("version").asText().matches("([0-2]\\.[0-9]+|3\\.[0-6])\\..*");
    }
    if (!connector.equals("postgresql")) {
      return false;
    }
    Set<String> headers = event.headers().keySet();
    boolean insert =
        op.equals("c")
            && !headers.contains("__debezium.oldkey")
            && headers.stream().anyMatch(name -> name.startsWith("__debezium.context."));
    return insert || op.equals("r");
  }

  private static JsonNode without(Set<String> unsent, JsonNode after) {
    if (unsent.isEmpty()) {
      return after;
    }
    ObjectNode copy = after.deepCopy();
    return copy.remove(unsent);
  }

  private Positions positions(RawEvent event) {
    int epoch = epochs.of(event);
    return positions.computeIfAbsent(
        event.topic() + "-" + event.partition() + "#" + epoch,
        place ->
            new Positions(
                options.scheme(), epoch, known.of(event.topic(), event.partition(), epoch)));
  }

  private Map<String, @Nullable Object> row(
      RawEvent event,
      JsonNode fields,
      JsonNode after,
      Map<String, Object> key,
      Set<String> unsent) {
    try {
      boolean nulls = options.unrepresentableIsNull();
      Map<String, @Nullable Object> row = Envelope.struct(fields, without(unsent, after), nulls);
      row.keySet().removeAll(unsent);
      row.putAll(key); // the row has its key as the key is
      return row;
    } catch (ConnectValues.Unrepresentable e) {
      throw new IllegalArgumentException(event.place() + " has a value that no table can hold", e);
    }
  }

  private Map<String, Object> key(RawEvent event, JsonNode payload, JsonNode rowFields) {
    Map<String, Object> key = new TreeMap<>();
    JsonNode row = payload.path(payload.path("op").asText().equals("d") ? "before" : "after");
    // A flattened delete may have no row, and has its key for sure.
    boolean withoutRow = options.format().flattened() != null && row.isMissingNode();
    if (options.keyColumns().isEmpty() || withoutRow) {
      if (event.key() == null) {
        throw new IllegalArgumentException(event.place() + " has no key");
      }
      Envelope envelope = options.format().key(event, event.key());
      JsonNode fields =
          envelope.schema() == null ? rowFields : declared.over(envelope.schema().path("fields"));
      for (JsonNode field : fields) {
        String name = field.path("field").asText();
        if (envelope.payload().has(name)) {
          put(key, event, name, ConnectValues.ofKey(field, envelope.payload().path(name)));
        }
      }
    } else {
      for (JsonNode field : rowFields) {
        String name = field.path("field").asText();
        if (options.keyColumns().contains(name)) {
          put(key, event, name, ConnectValues.ofKey(field, row.path(name)));
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

  /** A flattened row may have columns of any name; with none of its table's it is no row. */
  private boolean isSideRecord(JsonNode payload) {
    JsonNode whole = payload.path(Flattened.WHOLE);
    if (whole.isMissingNode()) {
      return SideRecords.isOne(payload);
    }
    JsonNode columns = options.columns();
    if (columns == null || !SideRecords.isOne(whole)) {
      return false;
    }
    for (JsonNode column : columns) {
      if (whole.has(column.path("field").asText())) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSideTopic(String topic) {
    return topic.startsWith("__debezium-heartbeat") || topic.endsWith(".transaction");
  }

  /** The source's time of the change, else when the connector wrote it, else Kafka's of it. */
  private static @Nullable OffsetDateTime sourceTime(RawEvent event, JsonNode payload) {
    JsonNode source = payload.path("source");
    if (source.path("ts_us").isIntegralNumber()) {
      return at(source.path("ts_us").longValue(), ChronoUnit.MICROS);
    }
    for (JsonNode millis : List.of(source.path("ts_ms"), payload.path("ts_ms"))) {
      if (millis.isIntegralNumber()) {
        return at(millis.longValue(), ChronoUnit.MILLIS);
      }
    }
    Long arrived = event.timestampMillis();
    return arrived == null ? null : at(arrived, ChronoUnit.MILLIS);
  }

  private static OffsetDateTime at(long amount, ChronoUnit unit) {
    return Instant.EPOCH.plus(amount, unit).atOffset(ZoneOffset.UTC);
  }
}
