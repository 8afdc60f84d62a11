package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a connector writes beside the changes of rows. A transform may route it into the topic of a
 * table. Debezium's documentation of its connectors has the forms.
 */
final class SideRecords {
  private SideRecords() {}

  /**
   * Whether a message, as the connector wrote it, is a heartbeat, a transaction's or a schema's.
   */
  static boolean isOne(JsonNode message) {
    if (message.has("op") || message.has("before") || message.has("after")) {
      return false;
    }
    Set<String> names = new TreeSet<>();
    message.fieldNames().forEachRemaining(names::add);
    boolean heartbeat =
        message.has("ts_ms") && Set.of("ts_ms", "ts_us", "ts_ns").containsAll(names);
    boolean ofTransaction = names.containsAll(List.of("id", "status", "event_count"));
    boolean ofSchema =
        message.has("databaseName") && (message.has("ddl") || message.has("tableChanges"));
    return heartbeat || ofTransaction || ofSchema;
  }
}
