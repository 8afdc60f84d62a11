package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ExtractNewRecordState} did, undone: of a row and what was added to it, the envelope
 * as far as it is left.
 *
 * @param rewritten whether a delete comes as the row that it was; a record without value then says
 *     nothing, and else is the delete
 * @param fields those of the envelope that were added, as {@code add.fields} has them; empty for
 *     all names with the prefix
 * @param headers those that were added as headers; empty for none
 */
public record Flattened(
    boolean rewritten,
    List<String> fields,
    String fieldsPrefix,
    List<String> headers,
    String headersPrefix) {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** Where the envelope has the message as it came, which no connector's has. */
  static final String WHOLE = "(flattened)";

  private static final Set<String> OWN = Set.of("op", "deleted", "ts_ms", "ts_us", "ts_ns");
  private static final Set<String> OF_TRANSACTION =
      Set.of("id", "total_order", "data_collection_order");

  /**
   * The envelope.
   *
   * @param value null for a record without value
   * @param columns of the table, where a name that looks added may be one; null if not known
   * @return null if the record says nothing
   */
  @Nullable Envelope envelope(
      RawEvent event, @Nullable Envelope value, @Nullable JsonNode columns) {
    ObjectNode payload = NODES.objectNode();
    for (String block : List.of("source", "transaction")) {
      payload.putObject(block);
    }
    event.headers().forEach((name, text) -> header(name, text, payload));
    if (value == null || value.payload().isNull()) {
      return rewritten ? null : new Envelope(null, payload.put("op", "d"));
    }
    payload.set(WHOLE, value.payload());
    ObjectNode row = NODES.objectNode();
    value
        .payload()
        .properties()
        .forEach(
            field -> {
              String[] path = isColumn(field.getKey(), columns) ? null : added(field.getKey());
              if (path == null) {
                row.set(field.getKey(), field.getValue());
              } else {
                set(payload, path, field.getValue());
              }
            });
    if (payload.path("deleted").asText().equals("true")) {
      payload.put("op", "d");
    } else if (!payload.has("op")) {
      payload.put("op", "u");
    }
    payload.set(payload.path("op").asText().equals("d") ? "before" : "after", row);
    return new Envelope(value.schema() == null ? null : rowSchema(value.schema(), row), payload);
  }

  private static JsonNode rowSchema(JsonNode schema, JsonNode row) {
    ArrayNode fields = NODES.arrayNode();
    for (JsonNode field : schema.path("fields")) {
      if (row.has(field.path("field").asText())) {
        fields.add(field);
      }
    }
    return after(fields);
  }

  private static JsonNode after(ArrayNode fields) {
    ObjectNode schema = NODES.objectNode();
    schema.putArray("fields").addObject().put("field", "after").set("fields", fields);
    return schema;
  }

  private static boolean isColumn(String name, @Nullable JsonNode columns) {
    if (columns != null) {
      for (JsonNode column : columns) {
        if (column.path("field").asText().equals(name)) {
          return true;
        }
      }
    }
    return false;
  }

  private void header(String name, String bytes, ObjectNode payload) {
    if (name.equals("__debezium.context.connectorName")) {
      set(payload, new String[] {"source", "connector"}, node(bytes));
    } else if (!name.startsWith("__debezium.")) {
      String[] path = headers.isEmpty() ? null : path(name, headers, headersPrefix);
      if (path != null) {
        set(payload, path, node(bytes));
      }
    }
  }

  /** Connect's header converters write a text bare, or as JSON. */
  private static JsonNode node(String bytes) {
    String text = new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    if (text.matches("-?[0-9]{1,18}|true|false|null|\".*\"|\\{.*}")) {
      JsonNode node = Positions.tree(text);
      return node.has("payload") ? node.get("payload") : node;
    }
    return TextNode.valueOf(text);
  }

  private String @Nullable [] added(String field) {
    return field.equals("__deleted")
        ? new String[] {"", "deleted"}
        : path(field, fields, fieldsPrefix);
  }

  /** Where in the envelope a name was; null if the transform did not add it. */
  private static String @Nullable [] path(String name, List<String> listed, String prefix) {
    if (!name.startsWith(prefix)) {
      return null;
    }
    String plain = name.substring(prefix.length());
    if (listed.isEmpty()) {
      for (String block : List.of("source", "transaction")) {
        if (plain.startsWith(block + "_")) {
          return new String[] {block, plain.substring(block.length() + 1)};
        }
      }
      return new String[] {home(plain), plain};
    }
    Map<String, String[]> names = new HashMap<>();
    for (String entry : listed) {
      String[] renamed = entry.strip().split(":");
      int dot = renamed[0].indexOf('.');
      String block = dot < 0 ? home(renamed[0]) : renamed[0].substring(0, dot);
      String field = renamed[0].substring(dot + 1);
      names.put(
          renamed.length > 1 ? renamed[1] : renamed[0].replace('.', '_'),
          new String[] {block, field});
    }
    return names.get(plain);
  }

  private static String home(String field) {
    if (OWN.contains(field)) {
      return "";
    }
    return OF_TRANSACTION.contains(field) ? "transaction" : "source";
  }

  private static void set(ObjectNode payload, String[] path, JsonNode value) {
    ObjectNode block = path[0].isEmpty() ? payload : payload.withObjectProperty(path[0]);
    block.set(path[1], value);
  }
}
