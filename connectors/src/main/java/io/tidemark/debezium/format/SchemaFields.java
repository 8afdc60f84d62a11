package io.tidemark.debezium.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.debezium.json.Problem;
import java.util.List;

/** What a Connect schema says of the fields of a struct. */
public final class SchemaFields {

  private SchemaFields() {}

  /** The member of a struct's schema that has this name; a missing node if there is none. */
  public static JsonNode member(JsonNode struct, String name) {
    for (JsonNode field : struct.path("fields")) {
      if (field.path("field").asText("").equals(name)) {
        return field;
      }
    }
    return MissingNode.getInstance();
  }

  /**
   * The default of a field, written as the messages write its values.
   *
   * @param path the names of the structs that hold it, then its own
   * @return a missing node or JSON null if it has none
   * @throws Problem if the schema cannot be read
   */
  public static JsonNode byDefault(ConnectSchema schema, List<String> path) throws Problem {
    JsonNode node = schema.tree();
    for (String name : path) {
      node = member(node, name);
    }
    return node.path("default");
  }
}
