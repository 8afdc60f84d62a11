package io.tidemark.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.row.ColumnType;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says what a configuration says of columns as a message with schema would say it. */
final class ColumnFields {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CONNECT = "org.apache.kafka.connect.data.";
  private static final String DEBEZIUM = "io.debezium.time.";

  private ColumnFields() {}

  /**
   * The fields of a row.
   *
   * @param remembered what the table keeps of its columns, a JSON object; null if nothing
   * @param configured types by column, which come before the remembered ones
   * @return null if there are none
   */
  static @Nullable JsonNode of(@Nullable String remembered, Map<String, String> configured) {
    Map<String, String> specs = new LinkedHashMap<>();
    try {
      if (remembered != null && !remembered.isBlank()) {
        specs.putAll(JSON.readValue(remembered, new TypeReference<Map<String, String>>() {}));
      }
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "The table's property tidemark.columns is not what Tidemark wrote", e);
    }
    specs.putAll(configured);
    ArrayNode fields = JSON.createArrayNode();
    specs.forEach(
        (name, text) -> {
          ColumnSpec spec = ColumnSpec.parse(text);
          fields.add(field(spec.type(), spec.encoding()).put("field", name));
        });
    return fields.isEmpty() ? null : fields;
  }

  private static ObjectNode field(ColumnType type, Encoding encoding) {
    if (type instanceof ColumnType.ListOf list && encoding instanceof Encoding.Element element) {
      return typed("array").set("items", field(list.element(), element.of()));
    }
    if (type instanceof ColumnType.MapOf map && encoding instanceof Encoding.Element element) {
      return typed("map").set("values", field(map.value(), element.of()));
    }
    if (type instanceof ColumnType.Struct struct && encoding instanceof Encoding.Fields parts) {
      ObjectNode node = typed("struct");
      ArrayNode fields = node.putArray("fields");
      for (int i = 0; i < struct.fields().size(); i++) {
        ColumnType.Field part = struct.fields().get(i);
        fields.add(field(part.type(), parts.of().get(i)).put("field", part.name()));
      }
      return node;
    }
    if (type instanceof ColumnType.Decimal decimal) {
      return encoding == Encoding.Simple.TEXT ? typed("string") : scaled(decimal.scale());
    }
    return encoding instanceof Encoding.Scaled scaled
        ? scaled(scaled.scale())
        : simple((ColumnType.Simple) type, encoding);
  }

  private static ObjectNode scaled(int scale) {
    ObjectNode node = named("bytes", CONNECT + "Decimal");
    node.putObject("parameters").put("scale", Integer.toString(scale));
    return node;
  }

  private static ObjectNode simple(ColumnType.Simple type, Encoding encoding) {
    return switch (type) {
      case BOOLEAN -> typed("boolean");
      case INT -> typed("int32");
      case LONG -> typed("int64");
      case FLOAT -> typed("float");
      case DOUBLE -> typed("double");
      case STRING ->
          encoding == Encoding.Simple.DECIMAL
              ? named("struct", "io.debezium.data.VariableScaleDecimal")
              : typed("string");
      case BINARY -> typed("bytes");
      case DATE -> time(encoding, "int32", "Date");
      case TIME -> time(encoding, "int64", "Time");
      case TIMESTAMP -> time(encoding, "int64", "Timestamp");
      case TIMESTAMPTZ ->
          encoding == Encoding.Simple.NATURAL
              ? named("string", DEBEZIUM + "ZonedTimestamp")
              : time(encoding, "int64", "Timestamp");
      case UUID -> named("string", "io.debezium.data.Uuid");
    };
  }

  private static ObjectNode time(Encoding encoding, String number, String kind) {
    return switch ((Encoding.Simple) encoding) {
      case NATURAL, MILLIS -> named(number, DEBEZIUM + kind);
      case MICROS -> named(number, DEBEZIUM + "Micro" + kind);
      case NANOS -> named(number, DEBEZIUM + "Nano" + kind);
      case ISO -> named("string", DEBEZIUM + "Iso" + kind);
      case TEXT, DECIMAL, BOOLEAN ->
          throw new IllegalArgumentException("No time is encoded as " + encoding);
    };
  }

  private static ObjectNode typed(String type) {
    return JSON.createObjectNode().put("type", type);
  }

  private static ObjectNode named(String type, String name) {
    return typed(type).put("name", name);
  }
}
