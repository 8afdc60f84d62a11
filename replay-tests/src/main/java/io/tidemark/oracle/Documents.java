package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows of MongoDB's collections: a document and its id, both as MongoDB's extended JSON, an
 * ObjectId as its digits alone.
 */
final class Documents {

  private Documents() {}

  static boolean isOne(JsonNode payload) {
    return payload.path("source").path("connector").asText().equals("mongodb");
  }

  static Map<String, Object> key(RawEvent event, JsonNode key) {
    if (!key.path("id").isTextual()) {
      throw new IllegalArgumentException(event.place() + " has no id in its key");
    }
    String text = key.path("id").asText();
    JsonNode id = Positions.tree(text);
    boolean objectId = id.size() == 1 && id.path("$oid").isTextual();
    return Map.of("_id", objectId ? id.path("$oid").asText() : text);
  }

  /** The row; null where an update came too late for its document. */
  static @Nullable Map<String, @Nullable Object> row(Map<String, Object> key, JsonNode payload) {
    if (!payload.path("after").isTextual()) {
      return null;
    }
    Map<String, @Nullable Object> row = new TreeMap<>(key);
    row.put("document", payload.path("after").asText());
    return row;
  }
}
