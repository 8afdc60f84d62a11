package io.tidemark.oracle;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A message as Connect's JSON converter writes it, with or without its schema around.
 *
 * @param schema null if the message carries none
 */
record Envelope(@Nullable JsonNode schema, JsonNode payload) {

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  static Envelope read(RawEvent event, byte[] bytes) {
    try {
      JsonNode tree = JSON.readTree(bytes);
      return tree.has("schema") && tree.has("payload") && tree.size() == 2
          ? new Envelope(tree.get("schema"), tree.get("payload"))
          : new Envelope(null, tree);
    } catch (IOException e) {
      throw new IllegalArgumentException(event.place() + " is not JSON", e);
    }
  }

  /** The fields of the row, as the message describes them; null if it does not. */
  @Nullable JsonNode rowFields() {
    if (schema != null) {
      for (JsonNode field : schema.path("fields")) {
        if (field.path("field").asText().equals("after")) {
          return field.path("fields");
        }
      }
    }
    return null;
  }

  /**
   * Converts a struct.
   *
   * @param nullForUnrepresentable whether a value that no table can hold becomes null
   */
  static Map<String, @Nullable Object> struct(
      JsonNode fields, JsonNode value, boolean nullForUnrepresentable) {
    Map<String, @Nullable Object> row = new TreeMap<>();
    for (JsonNode field : fields) {
      String name = field.path("field").asText();
      try {
        row.put(name, ConnectValues.of(field, value.path(name)));
      } catch (ConnectValues.Unrepresentable e) {
        if (!nullForUnrepresentable) {
          throw e;
        }
        row.put(name, null);
      }
    }
    return row;
  }
}
