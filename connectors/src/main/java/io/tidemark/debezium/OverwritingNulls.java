package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.debezium.format.ConnectSchema;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.format.SchemaFields;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.NoPlaceholder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What messages of PostgreSQL tell of the columns over whose large values an update of other
 * columns may write NULL; see {@link NoPlaceholder}. Not on the hot path.
 */
public final class OverwritingNulls {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final MessageReader values;
  private final @Nullable AddedNames added;
  private final Map<String, ColumnSpec> declared;
  private final Map<String, List<String>> columns = new TreeMap<>();
  private boolean wholeBefore;

  /**
   * Makes one that has seen nothing.
   *
   * @param format how values are written
   * @param unwrap what a transform made of the envelope; null if it is there
   * @param declared columns of messages without schema
   */
  public OverwritingNulls(
      MessageFormat format, @Nullable Unwrap unwrap, Map<String, ColumnSpec> declared) {
    this.values = format.values();
    this.added = unwrap == null ? null : AddedNames.ofFields(unwrap);
    this.declared = Map.copyOf(declared);
  }

  /**
   * By name the columns that were seen, with the types that each may have at the source; empty if a
   * message showed that the source table has {@code REPLICA IDENTITY FULL}, which sends them all.
   */
  public Map<String, List<String>> columns() {
    return wholeBefore ? Map.of() : Map.copyOf(columns);
  }

  /**
   * Looks at a record. One that cannot be read tells nothing: the decoder says what it is.
   *
   * @throws io.tidemark.debezium.registry.RegistryUnavailableException if a schema registry did not
   *     answer
   */
  public void look(RawRecord record) {
    byte[] value = record.value();
    if (value == null) {
      return;
    }
    try {
      Message message = values.read(value, record.headers());
      try (JsonParser in = message.open()) {
        JsonNode payload = JSON.readTree(in);
        if (payload != null) { // of blanks there is none
          look(record, payload, message.schema());
        }
      }
    } catch (Problem | IOException unreadable) {
      return;
    }
  }

  private void look(RawRecord record, JsonNode payload, @Nullable ConnectSchema schema)
      throws Problem {
    if (!RowReader.POSTGRES.equals(connector(record, payload))) {
      return;
    }
    if (schema == null) {
      declared.forEach((name, spec) -> add(name, NoPlaceholder.types(spec)));
    } else {
      for (JsonNode field : rowFields(schema.tree(), "after")) {
        String name = field.path("field").asText("");
        if (added == null || added.find(name) == null) {
          add(name, NoPlaceholder.types(field));
        }
      }
    }
    if (added == null && Set.of("u", "d").contains(payload.path("op").asText(""))) {
      JsonNode fields = schema == null ? null : rowFields(schema.tree(), "before");
      wholeBefore |= isWhole(payload.path("before"), fields);
    }
  }

  private JsonNode rowFields(JsonNode schema, String member) throws Problem {
    return (added == null ? SchemaFields.member(schema, member) : schema).path("fields");
  }

  private @Nullable String connector(RawRecord record, JsonNode payload) throws Problem {
    if (added == null) {
      return payload.path("source").path("connector").asText(null);
    }
    byte[] header = record.headers().get(FlatEvent.CONNECTOR);
    if (header != null) {
      return FlatEvent.connectorOf(header);
    }
    for (Map.Entry<String, JsonNode> field : payload.properties()) {
      AddedName name = added.find(field.getKey());
      if (name != null && name.isConnector()) {
        return field.getValue().asText(null);
      }
    }
    return null;
  }

  private void add(String column, List<String> types) {
    if (!types.isEmpty()) {
      columns.put(column, types);
    }
  }

  /**
   * Whether a row in {@code before} has what no other identity sends. Those of an index have only
   * columns that are never NULL, and for the rest Debezium invents values where NULL is not
   * allowed: no elements, an empty text, 0. Converters put defaults in the place of NULLs.
   *
   * @param fields of the row's schema; null if the message has none
   */
  private static boolean isWhole(JsonNode before, @Nullable JsonNode fields) {
    if (fields != null) {
      for (JsonNode field : fields) {
        boolean invented = !field.path("optional").asBoolean() || field.has("default");
        if (!invented && before.hasNonNull(field.path("field").asText(""))) {
          return true;
        }
      }
    }
    for (JsonNode value : before) {
      if (value.isArray() && !value.isEmpty()) {
        return true;
      }
    }
    return false;
  }
}
