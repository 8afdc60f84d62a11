package io.tidemark.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Columns of a recorded table in one line, such as {@code b*: int, amount: decimal(10; 2)}: keys
 * are starred, and commas within a type are semicolons.
 */
final class CorpusNotation {

  private CorpusNotation() {}

  /** By name the types of the columns, as a user would write them down. */
  static Map<String, String> types(String columns) {
    Map<String, String> types = new LinkedHashMap<>();
    for (String column : columns.split(", ")) {
      String[] parts = column.split("\\*?: ", 2);
      types.put(parts[0], parts[1].replace(';', ','));
    }
    return types;
  }

  /** Names of the key's columns. */
  static List<String> key(String columns) {
    return Arrays.stream(columns.split(", "))
        .filter(column -> column.contains("*"))
        .map(column -> column.substring(0, column.indexOf('*')))
        .toList();
  }

  /** The columns as Kafka Connect describes the fields of a struct. */
  static JsonNode fields(String columns) {
    ArrayNode fields =
        (ArrayNode)
            Fields.of(
                types(columns).entrySet().stream()
                    .map(column -> column.getKey() + " " + connect(column.getValue()))
                    .toArray(String[]::new));
    for (JsonNode field : fields) {
      if (field.path("type").asText().equals("struct") && field.path("name").isMissingNode()) {
        ((ObjectNode) field)
            .set("fields", Fields.of("x double", "y double", "wkb bytes", "srid int32"));
      }
    }
    return fields;
  }

  private static String connect(String type) {
    if (type.equals("decimal(38, 4)")) { // of a numeric that declares no scale
      return "struct:io.debezium.data.VariableScaleDecimal";
    }
    if (type.contains("decimal")) {
      return "decimal(" + type.replaceAll(".*, |\\)", "") + ")";
    }
    return switch (type) {
      case "int" -> "int32";
      case "long" -> "int64";
      case "binary" -> "bytes";
      case "uuid" -> "string:io.debezium.data.Uuid";
      case "date" -> "int32:io.debezium.time.Date";
      case "time(micros)" -> "int64:io.debezium.time.MicroTime";
      case "timestamp(millis)" -> "int64:io.debezium.time.Timestamp";
      case "timestamp(micros)" -> "int64:io.debezium.time.MicroTimestamp";
      case "timestamptz" -> "string:io.debezium.time.ZonedTimestamp";
      default -> type.startsWith("struct") ? "struct" : type;
    };
  }
}
