package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.ShapeResult.NotAChange;
import io.tidemark.debezium.ShapeResult.Refused;
import io.tidemark.debezium.format.ConnectSchema;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.ConnectTypes;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a table's columns from the schema that a message brings. Not on the hot path. */
public final class ShapeReader {
  private final List<String> keyColumns;
  private final Map<String, ColumnSpec> configured;
  private final MessageReader keys;
  private final MessageReader values;
  private final @Nullable AddedNames added;

  /** One for envelopes as JSON. */
  public ShapeReader(List<String> keyColumns, Map<String, ColumnSpec> configured) {
    this(keyColumns, configured, new JsonFormat(), null);
  }

  /**
   * Makes one.
   *
   * @param keyColumns the key's columns; empty to use those of the message key
   * @param configured columns whose type the user chose; where a message brings a schema, it says
   *     how their values are written
   * @param format how keys and values are written
   * @param unwrap what a transform made of the envelope; null if it is there
   */
  public ShapeReader(
      List<String> keyColumns,
      Map<String, ColumnSpec> configured,
      MessageFormat format,
      @Nullable Unwrap unwrap) {
    this.keyColumns = List.copyOf(keyColumns);
    this.configured = Map.copyOf(configured);
    this.keys = format.keys();
    this.values = format.values();
    this.added = unwrap == null ? null : new AddedNames(unwrap.addFields(), unwrap.fieldsPrefix());
  }

  /**
   * The shape of the row that the record changes.
   *
   * @throws io.tidemark.debezium.registry.RegistryUnavailableException if a schema registry did not
   *     answer
   */
  public ShapeResult read(RawRecord record) {
    byte[] value = record.value();
    if (value == null) {
      return new NotAChange();
    }
    try {
      return read(record, values.read(value, record.headers()));
    } catch (Problem problem) {
      return new Refused(problem.text());
    } catch (IOException broken) {
      return new Refused(JsonInput.broken(broken).text());
    }
  }

  /**
   * The names of the columns in the record's key; an empty set if it has no key, or none that can
   * be read.
   */
  public Set<String> keyNames(RawRecord record) {
    try {
      return record.key() == null ? Set.of() : keysOf(record);
    } catch (Problem | IOException unreadable) {
      return Set.of();
    }
  }

  private ShapeResult read(RawRecord record, Message message) throws Problem, IOException {
    if (!isChange(message)) {
      return new NotAChange();
    }
    ConnectSchema schema = message.schema();
    if (schema == null) {
      throw new Problem(
          "the message has no schema, so that the types of its columns are not known. Name them under"
              + " columns, create the table first, or set the converter's schemas.enable=true");
    }
    JsonNode row = added == null ? PlanCache.member(schema.tree(), "after") : schema.tree();
    if (!row.path("fields").isArray()) {
      throw new Problem("expected a schema of a Debezium envelope with after, found another");
    }
    Set<String> key = keyColumns.isEmpty() ? keysOf(record) : new LinkedHashSet<>(keyColumns);
    return discovered(row.path("fields"), key);
  }

  /**
   * Whether the payload changes a row.
   *
   * @throws Problem if it is nothing that belongs into such a topic
   */
  private boolean isChange(Message message) throws Problem, IOException {
    Set<String> names = new LinkedHashSet<>();
    try (JsonParser in = message.open()) {
      if (in.nextToken() == JsonToken.VALUE_NULL && added != null) {
        return false; // a delete without its row
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        if (name.equals("op") && added == null) {
          return Set.of("c", "u", "r", "d").contains(in.getText());
        }
        in.skipChildren();
        names.add(name);
      }
    }
    boolean known = Envelope.reason(names) != null;
    if (added == null && !known) {
      throw Envelope.missing(names);
    }
    if (added != null && names.containsAll(Set.of("op", "source", "after"))) {
      throw Envelope.unexpected();
    }
    return added != null && !known;
  }

  private Set<String> keysOf(RawRecord record) throws Problem, IOException {
    byte[] key = record.key();
    if (key == null) {
      throw new Problem(
          "the message has no key. Name the columns of the key in the route (key: [...]), or give the"
              + " source table a primary key");
    }
    Set<String> names = new LinkedHashSet<>();
    try (JsonParser in = keys.read(key, record.headers()).open()) {
      in.nextToken();
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        in.skipChildren();
        names.add(name);
      }
    }
    if (names.isEmpty()) {
      throw new Problem("message key: expected an object of key columns, found none");
    }
    return names;
  }

  private ShapeResult discovered(JsonNode fields, Set<String> keys) throws Problem {
    List<Column> columns = new ArrayList<>();
    Map<String, Encoding> encodings = new HashMap<>();
    Set<String> missing = new LinkedHashSet<>(keys);
    for (JsonNode field : fields) {
      String name = field.path("field").asText("");
      if (added != null && added.find(name) != null && !configured.containsKey(name)) {
        continue;
      }
      ColumnSpec spec = spec(name, field);
      columns.add(new Column(name, spec.type(), keys.contains(name)));
      encodings.put(name, spec.encoding());
      missing.remove(name);
    }
    if (!missing.isEmpty()) {
      throw new Problem("the row has no key column " + String.join(", ", missing));
    }
    try {
      return new Discovered(new RowShape(columns), encodings);
    } catch (IllegalArgumentException impossible) {
      throw new Problem(
          impossible.getMessage() + ". Name other columns of the key in the route (key: [...])");
    }
  }

  private ColumnSpec spec(String name, JsonNode field) throws Problem {
    ColumnSpec chosen = configured.get(name);
    try {
      ColumnSpec sent = ConnectTypes.spec(field);
      // A type that was chosen without an encoding leaves it to the schema.
      boolean typeAlone = chosen != null && chosen.equals(ColumnSpec.of(sent.type()));
      return chosen == null || typeAlone ? sent : chosen;
    } catch (Problem problem) {
      if (chosen == null) {
        throw problem.in("column " + name);
      }
      return chosen;
    }
  }
}
