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
import io.tidemark.debezium.format.SchemaFields;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.ConnectTypes;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.version.SourceBlock;
import io.tidemark.debezium.version.VersionScheme;
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
    this.added = unwrap == null ? null : AddedNames.ofFields(unwrap);
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
   * Whether the record is one that Debezium writes beside the changes of tables: a heartbeat, the
   * begin or end of a transaction, a change of a schema, a logical message. What tells it is the
   * envelope that it has not, so nothing does where rows are flattened.
   *
   * @return false also of one that cannot be read, or has no value
   * @throws io.tidemark.debezium.registry.RegistryUnavailableException if a schema registry did not
   *     answer
   */
  public boolean isSideRecord(RawRecord record) {
    byte[] value = record.value();
    if (value == null || added != null) {
      return false;
    }
    try {
      Facts facts = facts(values.read(value, record.headers()));
      return facts.op == null ? Envelope.reason(facts.names) != null : facts.op.equals("m");
    } catch (Problem | IOException unreadable) {
      return false;
    }
  }

  /**
   * The names of the columns in the record's key; an empty set if it has no key, or none that can
   * be read.
   */
  public Set<String> keyNames(RawRecord record) {
    try {
      Set<String> names = record.key() == null ? Set.of() : keysOf(record);
      return isOfMongoDb(record) ? Set.of(DocumentTable.ID) : names;
    } catch (Problem | IOException unreadable) {
      return Set.of();
    }
  }

  private boolean isOfMongoDb(RawRecord record) throws Problem, IOException {
    byte[] value = record.value();
    return value != null
        && DocumentTable.CONNECTOR.equals(facts(values.read(value, record.headers())).connector);
  }

  private ShapeResult read(RawRecord record, Message message) throws Problem, IOException {
    Facts facts = facts(message);
    if (added != null) {
      byte[] header = record.headers().get(FlatEvent.CONNECTOR);
      DocumentTable.refuseFlattened(
          header == null ? facts.connector : FlatEvent.connectorOf(header));
    }
    if (!isChange(facts, message.schema())) {
      return new NotAChange();
    }
    if (DocumentTable.CONNECTOR.equals(facts.connector)) {
      return collection();
    }
    ConnectSchema schema = message.schema();
    if (schema == null) {
      throw new Problem(
          "the message has no schema, so that the types of its columns are not known. Name them under"
              + " columns, create the table first, or set the converter's schemas.enable=true");
    }
    JsonNode row = added == null ? SchemaFields.member(schema.tree(), "after") : schema.tree();
    if (!row.path("fields").isArray()) {
      throw new Problem("expected a schema of a Debezium envelope with after, found another");
    }
    ConnectTypes.requireBounded(row);
    Set<String> key = keyColumns.isEmpty() ? keysOf(record) : new LinkedHashSet<>(keyColumns);
    return discovered(row.path("fields"), key);
  }

  /** What a message says of itself, beside its row. */
  private static final class Facts {
    private final Set<String> names = new LinkedHashSet<>();
    private @Nullable String op;
    private @Nullable String connector;
    private boolean isNull;
  }

  private Facts facts(Message message) throws Problem, IOException {
    Facts facts = new Facts();
    try (JsonParser in = message.open()) {
      facts.isNull = in.nextToken() == JsonToken.VALUE_NULL;
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        JsonToken token = in.nextToken();
        AddedName field = added == null ? null : added.find(name);
        if (added == null && name.equals("op")) {
          facts.op = in.getText();
        } else if (added == null && name.equals("source") && token == JsonToken.START_OBJECT) {
          // The connector alone is of interest: the decoder says what it lacks.
          SourceBlock source = new SourceBlock(new VersionScheme.KafkaOffset());
          source.read(in);
          facts.connector = source.connector();
        } else if (field != null && field.isConnector() && token == JsonToken.VALUE_STRING) {
          facts.connector = in.getText();
        }
        in.skipChildren();
        facts.names.add(name);
      }
    }
    return facts;
  }

  /**
   * Whether the payload changes a row.
   *
   * @throws Problem if it is nothing that belongs into such a topic
   */
  private boolean isChange(Facts facts, @Nullable ConnectSchema schema) throws Problem {
    if (added == null && facts.op != null) {
      return Set.of("c", "u", "r", "d").contains(facts.op);
    }
    if (added != null && facts.isNull) {
      return false; // a delete without its row
    }
    boolean known = Envelope.reason(facts.names) != null;
    if (added == null && !known) {
      throw Envelope.missing(facts.names);
    }
    if (added != null && facts.names.containsAll(Set.of("op", "source", "after"))) {
      throw Envelope.unexpected();
    }
    return added != null && (!known || isOfTable(schema));
  }

  /**
   * Whether a schema is named, and not as those of Debezium's records beside the changes are: a
   * table may have columns that are called as their fields.
   */
  private static boolean isOfTable(@Nullable ConnectSchema schema) throws Problem {
    String name = schema == null ? "" : schema.tree().path("name").asText("");
    return !name.isEmpty() && !name.startsWith("io.debezium.connector.");
  }

  /** A collection's columns are always the same, and no message describes them. */
  private ShapeResult collection() throws Problem {
    Map<String, Encoding> encodings = new HashMap<>();
    for (Column column : DocumentTable.SHAPE.columns()) {
      encodings.put(column.name(), ColumnSpec.of(column.type()).encoding());
    }
    boolean others = !encodings.keySet().containsAll(configured.keySet());
    if (others || !Set.of(DocumentTable.ID).containsAll(keyColumns)) {
      throw new Problem("found a document of MongoDB. " + DocumentTable.needed());
    }
    return new Discovered(DocumentTable.SHAPE, encodings);
  }

  private Set<String> keysOf(RawRecord record) throws Problem, IOException {
    byte[] key = record.key();
    if (key == null) {
      throw KeyReader.missing();
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
          impossible.getMessage()
              + ". Name other columns of the key in the route (key: [...]); where the topic has several"
              + " partitions, also in the connector's message.key.columns");
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
