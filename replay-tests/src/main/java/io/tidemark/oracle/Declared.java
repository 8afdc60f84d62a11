package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of columns and a message's schema does not tell: text without a name may be a
 * number ({@code decimal.handling.mode=string}).
 */
final class Declared {

  private static final String ANY_SCALE = "io.debezium.data.VariableScaleDecimal";

  /** Those that have numbers of any digits in them, by name. */
  private final Map<String, JsonNode> numbers = new HashMap<>();

  /**
   * Takes a declaration.
   *
   * @param fields of a struct, as Kafka Connect describes them; null if nothing was declared
   */
  Declared(@Nullable JsonNode fields) {
    if (fields != null) {
      for (JsonNode field : fields) {
        if (field.findValuesAsText("name").stream().anyMatch(Declared::isNumber)) {
          numbers.put(field.path("field").asText(), field);
        }
      }
    }
  }

  private static boolean isNumber(String name) {
    return name.equals("org.apache.kafka.connect.data.Decimal") || name.equals(ANY_SCALE);
  }

  /** The fields of a struct that a message describes, put right. */
  JsonNode over(JsonNode sent) {
    if (numbers.isEmpty()) {
      return sent;
    }
    ArrayNode fields = JsonNodeFactory.instance.arrayNode();
    for (JsonNode field : sent) {
      JsonNode declared = numbers.get(field.path("field").asText());
      fields.add(declared == null ? field : over(field, declared));
    }
    return fields;
  }

  private static JsonNode over(JsonNode sent, JsonNode declared) {
    if (sent.has("name") && !sent.path("name").isNull()) {
      return sent;
    }
    ObjectNode type = JsonNodeFactory.instance.objectNode();
    type.setAll((ObjectNode) sent);
    switch (sent.path("type").asText()) {
      case "string" -> {
        if (isNumber(declared.path("name").asText())) {
          type.put("name", ANY_SCALE);
        }
      }
      case "array" -> type.set("items", over(sent.path("items"), declared.path("items")));
      case "map" -> type.set("values", over(sent.path("values"), declared.path("values")));
      case "struct" ->
          type.set("fields", new Declared(declared.path("fields")).over(sent.path("fields")));
      default -> {
        return sent;
      }
    }
    return type;
  }
}
