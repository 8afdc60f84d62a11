package io.tidemark.debezium;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.ShapeResult.NotAChange;
import io.tidemark.debezium.ShapeResult.Refused;
import io.tidemark.debezium.json.Frame;
import io.tidemark.debezium.json.FrameReader;
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

/** Reads a table's columns from the schema that a message brings. Not on the hot path. */
public final class ShapeReader {
  private final List<String> keyColumns;
  private final Map<String, ColumnSpec> configured;

  /**
   * Makes one.
   *
   * @param keyColumns the key's columns; empty to use those of the message key
   * @param configured columns whose type the user chose; where a message brings a schema, it says
   *     how their values are written
   */
  public ShapeReader(List<String> keyColumns, Map<String, ColumnSpec> configured) {
    this.keyColumns = List.copyOf(keyColumns);
    this.configured = Map.copyOf(configured);
  }

  /** The shape of the row that the record changes. */
  public ShapeResult read(RawRecord record) {
    byte[] value = record.value();
    if (value == null) {
      return new NotAChange();
    }
    try {
      return read(record, value);
    } catch (Problem problem) {
      return new Refused(problem.text());
    } catch (IOException broken) {
      return new Refused(JsonInput.broken(broken).text());
    }
  }

  private ShapeResult read(RawRecord record, byte[] value) throws Problem, IOException {
    Frame frame = new FrameReader().read(value);
    byte[] schema = frame.schema();
    if (!isChange(value, frame)) {
      return new NotAChange();
    }
    if (schema == null) {
      throw new Problem(
          "the message has no schema, so that the types of its columns are not known. Name them under"
              + " columns, create the table first, or set the converter's schemas.enable=true");
    }
    JsonNode row = PlanCache.member(PlanCache.parse(schema), "after");
    if (!row.path("fields").isArray()) {
      throw new Problem("expected a schema of a Debezium envelope with after, found another");
    }
    Set<String> keys = keyColumns.isEmpty() ? keysOf(record) : new LinkedHashSet<>(keyColumns);
    return discovered(row.path("fields"), keys);
  }

  /**
   * Whether the payload changes a row.
   *
   * @throws Problem if it is nothing that belongs into such a topic
   */
  private static boolean isChange(byte[] value, Frame frame) throws Problem, IOException {
    Set<String> names = new LinkedHashSet<>();
    try (JsonParser in = JsonInput.open(value, frame.from(), frame.to())) {
      in.nextToken();
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        in.nextToken();
        if (name.equals("op")) {
          return Set.of("c", "u", "r", "d").contains(in.getText());
        }
        in.skipChildren();
        names.add(name);
      }
    }
    if (Envelope.reason(names) == null) {
      throw new Problem(
          "expected a Debezium envelope with op, before, after and source, found no op");
    }
    return false;
  }

  private static Set<String> keysOf(RawRecord record) throws Problem, IOException {
    byte[] key = record.key();
    if (key == null) {
      throw new Problem(
          "the message has no key. Name the columns of the key in the route (key: [...]), or give the"
              + " source table a primary key");
    }
    Frame frame = new FrameReader().read(key);
    Set<String> names = new LinkedHashSet<>();
    try (JsonParser in = JsonInput.open(key, frame.from(), frame.to())) {
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
      throw new Problem(String.valueOf(impossible.getMessage()));
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
