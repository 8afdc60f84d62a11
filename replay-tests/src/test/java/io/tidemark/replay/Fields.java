package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Columns as Kafka Connect describes the fields of a struct. */
public final class Fields {

  private Fields() {}

  /**
   * Fields, each as {@code name type}, {@code name type:logical.name} or {@code name
   * decimal(scale)}.
   */
  public static JsonNode of(String... fields) {
    ArrayNode array = new ObjectMapper().createArrayNode();
    for (String field : fields) {
      String[] words = field.split("[ :()]");
      ObjectNode node = array.addObject().put("field", words[0]);
      if (words[1].equals("decimal")) {
        node.put("type", "bytes").put("name", "org.apache.kafka.connect.data.Decimal");
        node.putObject("parameters").put("scale", words[2]);
      } else {
        node.put("type", words[1]);
        if (words.length > 2) {
          node.put("name", words[2]);
        }
      }
    }
    return array;
  }
}
