package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** Columns as Kafka Connect describes the fields of a struct. */
public final class Fields {

  private Fields() {}

  /** Fields of plain types, each as {@code name type}. */
  public static JsonNode of(String... fields) {
    ArrayNode array = new ObjectMapper().createArrayNode();
    for (String field : fields) {
      String[] words = field.split(" ");
      array.addObject().put("field", words[0]).put("type", words[1]);
    }
    return array;
  }
}
