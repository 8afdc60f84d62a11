package io.tidemark.debezium.avro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Turns an Avro schema back into the Connect schema that Kafka Connect's converter made it from, as
 * the JSON converter would write it. The schema must not contain itself.
 *
 * <p>What the converter does not write ({@code union}, {@code null}) gets its Avro name as type, so
 * that a column of it is refused by name.
 */
final class ConnectTree {
  private static final String TYPE = "type";

  /**
   * The tree of a schema.
   *
   * @param records those that were made, by full name; a record that occurs again is shared
   */
  ObjectNode of(Schema schema, Map<String, ObjectNode> records) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    switch (schema.getType()) {
      case UNION -> {
        return union(schema.getTypes(), records);
      }
      case RECORD -> {
        return record(schema, records);
      }
      case INT -> {
        String narrow = schema.getProp("connect.type");
        boolean known = "int8".equals(narrow) || "int16".equals(narrow);
        node.put(TYPE, known ? narrow : "int32");
      }
      case LONG -> node.put(TYPE, "int64");
      case BYTES, FIXED -> node.put(TYPE, "bytes");
      case STRING, ENUM -> node.put(TYPE, "string");
      case ARRAY -> {
        Schema item = schema.getElementType();
        if ("MapEntry".equals(item.getProp("connect.internal.type"))) {
          // How the converter writes a map whose keys are no strings, or may be null.
          node.put(TYPE, "map");
          node.putObject("keys").put(TYPE, "of another kind");
          return named(node, schema);
        }
        node.put(TYPE, "array");
        node.set("items", of(schema.getElementType(), records));
      }
      case MAP -> {
        node.put(TYPE, "map");
        node.putObject("keys").put(TYPE, "string");
        node.set("values", of(schema.getValueType(), records));
      }
      case NULL, BOOLEAN, FLOAT, DOUBLE -> node.put(TYPE, schema.getType().getName());
    }
    return named(node, schema);
  }

  /** A union of null and another type is how the converter writes what is optional. */
  private ObjectNode union(List<Schema> branches, Map<String, ObjectNode> records) {
    List<Schema> others = branches.stream().filter(b -> b.getType() != Schema.Type.NULL).toList();
    if (others.size() != 1) {
      return JsonNodeFactory.instance.objectNode().put(TYPE, "union");
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.setAll(of(others.get(0), records));
    return node.put("optional", others.size() < branches.size());
  }

  private ObjectNode record(Schema schema, Map<String, ObjectNode> records) {
    ObjectNode known = records.get(schema.getFullName());
    if (known != null) {
      return known;
    }
    ObjectNode node = JsonNodeFactory.instance.objectNode().put(TYPE, "struct");
    var fields = node.putArray("fields");
    for (Schema.Field field : schema.getFields()) {
      ObjectNode member = JsonNodeFactory.instance.objectNode();
      member.setAll(of(field.schema(), records));
      JsonNode byDefault = byDefault(field);
      if (!byDefault.isNull()) {
        member.set("default", byDefault);
      }
      fields.add(member.put("field", field.name()));
    }
    named(node, schema);
    records.put(schema.getFullName(), node);
    return node;
  }

  /**
   * Defaults are not checked when a schema is parsed, and Avro ends with any exception over one
   * that is none of its type's. An empty object stands for it, which no column of a key takes
   * either.
   */
  private static JsonNode byDefault(Schema.Field field) {
    try {
      return value(field.defaultVal());
    } catch (RuntimeException misfit) {
      return JsonNodeFactory.instance.objectNode();
    }
  }

  /** A default as the JSON converter would write it; JSON null for none. */
  private static JsonNode value(@Nullable Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (value instanceof Integer number) {
      return nodes.numberNode(number.intValue());
    }
    if (value instanceof Long number) {
      return nodes.numberNode(number.longValue());
    }
    if (value instanceof Number number) {
      return nodes.numberNode(number.doubleValue());
    }
    if (value instanceof Boolean flag) {
      return nodes.booleanNode(flag);
    }
    if (value instanceof CharSequence text) {
      return nodes.textNode(text.toString());
    }
    if (value instanceof byte[] bytes) {
      return nodes.textNode(Base64.getEncoder().encodeToString(bytes));
    }
    if (value instanceof Map<?, ?> fields) {
      ObjectNode object = nodes.objectNode();
      fields.forEach((name, field) -> object.set(String.valueOf(name), value(field)));
      return object;
    }
    if (value instanceof Collection<?> elements) {
      ArrayNode list = nodes.arrayNode();
      elements.forEach(element -> list.add(value(element)));
      return list;
    }
    return nodes.nullNode();
  }

  private static ObjectNode named(ObjectNode node, Schema schema) {
    String name = schema.getProp("connect.name");
    if (name != null) {
      node.put("name", name);
    }
    if (schema.getObjectProp("connect.parameters") instanceof Map<?, ?> parameters) {
      ObjectNode texts = node.putObject("parameters");
      parameters.forEach((key, value) -> texts.put(String.valueOf(key), String.valueOf(value)));
    }
    return node;
  }
}
