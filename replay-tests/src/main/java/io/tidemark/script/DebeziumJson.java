package io.tidemark.script;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Writes messages as Debezium's PostgreSQL connector and Connect's JSON converter do. */
final class DebeziumJson {

  static final JsonNode FIELDS =
      tree(
          """
          [{"type":"int64","optional":false,"field":"id"},
           {"type":"string","optional":true,"field":"name"},
           {"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,
            "parameters":{"scale":"2","connect.decimal.precision":"12"},"field":"amount"},
           {"type":"int32","optional":false,"field":"qty"},
           {"type":"string","optional":false,"field":"region"},
           {"type":"int32","optional":true,"name":"io.debezium.time.Date","version":1,"field":"day"},
           {"type":"string","optional":true,"name":"io.debezium.time.ZonedTimestamp","version":1,
            "field":"updated_at"}]
          """);

  private static final JsonNode SOURCE =
      tree(
          """
          {"type":"struct","fields":[
            {"type":"string","optional":false,"field":"version"},
            {"type":"string","optional":false,"field":"connector"},
            {"type":"string","optional":false,"field":"name"},
            {"type":"int64","optional":false,"field":"ts_ms"},
            {"type":"string","optional":true,"name":"io.debezium.data.Enum","version":1,
             "parameters":{"allowed":"true,first,first_in_data_collection,last_in_data_collection,last,false,incremental"},
             "default":"false","field":"snapshot"},
            {"type":"string","optional":false,"field":"db"},
            {"type":"string","optional":true,"field":"sequence"},
            {"type":"int64","optional":true,"field":"ts_us"},
            {"type":"int64","optional":true,"field":"ts_ns"},
            {"type":"string","optional":false,"field":"schema"},
            {"type":"string","optional":false,"field":"table"},
            {"type":"int64","optional":true,"field":"txId"},
            {"type":"int64","optional":true,"field":"lsn"},
            {"type":"int64","optional":true,"field":"xmin"}],
           "optional":false,"name":"io.debezium.connector.postgresql.Source","version":1,"field":"source"}
          """);

  private static final String PLACEHOLDER = "__debezium_unavailable_value";

  private static final DateTimeFormatter MICROS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT);

  private final boolean schemas;

  DebeziumJson(boolean schemas) {
    this.schemas = schemas;
  }

  /** When and as part of what a change was committed. */
  record Commit(@Nullable Long previous, long transaction, long micros, String snapshot) {}

  byte[] key(long id) {
    ObjectNode payload = mapper().createObjectNode().put("id", id);
    if (!schemas) {
      return bytes(payload);
    }
    ObjectNode key = struct("shop.public.orders.Key", false);
    key.withArray("fields").add(FIELDS.get(0));
    return bytes(enveloped(key, payload));
  }

  byte[] value(ScriptedEvent event, Commit commit, long sentMillis) {
    ObjectNode payload = mapper().createObjectNode();
    payload.set("before", event.op().equals("d") ? invented(event.id()) : null);
    payload.set("after", event.row() == null ? null : sent(event, row(event.id(), event.row())));
    payload.set("source", source(event, commit));
    payload.putNull("transaction");
    payload.put("op", event.op()).put("ts_ms", sentMillis).put("ts_us", sentMillis * 1000);
    payload.put("ts_ns", sentMillis * 1_000_000);
    return bytes(schemas ? enveloped(envelope(), payload) : payload);
  }

  private static ObjectNode sent(ScriptedEvent event, ObjectNode row) {
    event.unsent().forEach(column -> row.put(column, PLACEHOLDER));
    return row;
  }

  static ObjectNode row(long id, ScriptedRow row) {
    ObjectNode node = mapper().createObjectNode().put("id", id).put("name", row.name());
    if (row.amount() == null) {
      node.putNull("amount");
    } else {
      byte[] unscaled = row.amount().unscaledValue().toByteArray();
      node.put("amount", Base64.getEncoder().encodeToString(unscaled));
    }
    node.put("qty", row.qty()).put("region", row.region()).put("day", row.day().toEpochDay());
    return node.put(
        "updated_at", MICROS.format(row.updatedAt().withOffsetSameInstant(ZoneOffset.UTC)));
  }

  /**
   * The row before a delete, where the table's replica identity is the default: all but the key is
   * made up.
   */
  private static ObjectNode invented(long id) {
    ObjectNode node = mapper().createObjectNode().put("id", id).putNull("name").putNull("amount");
    return node.put("qty", 0).put("region", "").putNull("day").putNull("updated_at");
  }

  private static ObjectNode source(ScriptedEvent event, Commit commit) {
    String previous = commit.previous() == null ? "null" : "\"" + commit.previous() + "\"";
    ObjectNode source = mapper().createObjectNode();
    source.put("version", "3.6.1.Final").put("connector", "postgresql").put("name", "shop");
    source
        .put("ts_ms", commit.micros() / 1000)
        .put("snapshot", commit.snapshot())
        .put("db", "shop");
    source.put("sequence", "[" + previous + ",\"" + event.lsn() + "\"]");
    source.put("ts_us", commit.micros()).put("ts_ns", commit.micros() * 1000);
    source.put("schema", "public").put("table", "orders").put("txId", commit.transaction());
    return source.put("lsn", event.lsn()).putNull("xmin");
  }

  private static ObjectNode envelope() {
    ObjectNode envelope = struct("shop.public.orders.Envelope", false).put("version", 2);
    for (String side : new String[] {"before", "after"}) {
      ObjectNode row = struct("shop.public.orders.Value", true).put("field", side);
      row.set("fields", FIELDS);
      envelope.withArray("fields").add(row);
    }
    envelope.withArray("fields").add(SOURCE);
    envelope.withArray("fields").add(field("string", "op", false));
    for (String time : new String[] {"ts_ms", "ts_us", "ts_ns"}) {
      envelope.withArray("fields").add(field("int64", time, true));
    }
    return envelope;
  }

  private static ObjectNode struct(String name, boolean optional) {
    return mapper()
        .createObjectNode()
        .put("type", "struct")
        .put("optional", optional)
        .put("name", name);
  }

  private static ObjectNode field(String type, String name, boolean optional) {
    return mapper()
        .createObjectNode()
        .put("type", type)
        .put("optional", optional)
        .put("field", name);
  }

  private static ObjectNode enveloped(ObjectNode schema, ObjectNode payload) {
    ObjectNode envelope = mapper().createObjectNode();
    envelope.set("schema", schema);
    envelope.set("payload", payload);
    return envelope;
  }

  private static byte[] bytes(JsonNode node) {
    return node.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static JsonNode tree(String json) {
    try {
      return mapper().readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ObjectMapper mapper() {
    return Json.MAPPER;
  }

  private static final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();
  }
}
