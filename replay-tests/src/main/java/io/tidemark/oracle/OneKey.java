package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A change is of one key. One that says two things of it is applied nowhere: whichever key it were
 * taken for, the row of the other would be wrong for good.
 */
final class OneKey {

  private OneKey() {}

  /**
   * Checks a change that leaves a row.
   *
   * @param key what it is taken for
   * @param fields of the row
   * @throws IllegalArgumentException if the row has another key, or an update's former row has
   */
  static void require(
      RawEvent event, JsonNode payload, Map<String, Object> key, Iterable<JsonNode> fields) {
    if (!of(payload.path("after"), key, fields)) {
      throw new IllegalArgumentException(event.place() + " has a row of another key");
    }
    JsonNode before = payload.path("before");
    boolean knowsBefore = key.keySet().stream().allMatch(before::hasNonNull);
    if (payload.path("op").asText().equals("u") && knowsBefore && !of(before, key, fields)) {
      throw new IllegalArgumentException(event.place() + " leaves a row of another key behind");
    }
  }

  private static boolean of(JsonNode row, Map<String, Object> key, Iterable<JsonNode> fields) {
    Set<String> left = new HashSet<>(key.keySet());
    for (JsonNode field : fields) {
      String name = field.path("field").asText();
      if (left.remove(name)
          && !Objects.deepEquals(ConnectValues.ofKey(field, row.path(name)), key.get(name))) {
        return false;
      }
    }
    return left.isEmpty();
  }
}
