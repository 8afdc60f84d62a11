package io.tidemark.debezium;

import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.ConnectTypes;
import io.tidemark.debezium.value.Converters;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.value.ValueConverter;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of each field of a row's JSON object: compiled once for the shape, and once for each
 * schema that messages bring. Immutable.
 */
final class RowPlan {

  /**
   * One field.
   *
   * @param column its position in the shape
   * @param key whether it is a key column
   */
  record Field(SerializedString name, int column, boolean key, ValueConverter converter) {}

  private final Field[] fields;
  private final Map<String, Field> byName = new HashMap<>();

  private RowPlan(List<Field> fields) {
    this.fields = fields.toArray(new Field[0]);
    fields.forEach(field -> byName.put(field.name().getValue(), field));
  }

  /**
   * For messages without schema: the shape's types, each in the encoding that is declared for it.
   */
  static RowPlan ofShape(RowShape shape, Map<String, Encoding> encodings) {
    List<Field> fields = new ArrayList<>();
    List<Column> columns = shape.columns();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      Encoding declared = encodings.get(column.name());
      ColumnSpec natural = ColumnSpec.of(column.type());
      fields.add(
          field(column, i, declared == null ? natural : new ColumnSpec(column.type(), declared)));
    }
    return new RowPlan(fields);
  }

  /**
   * For messages with this schema. Fields that the shape does not have are left out.
   *
   * @param row the Connect schema of the row, a struct
   */
  static RowPlan ofSchema(JsonNode row, RowShape shape) throws Problem {
    Map<String, Integer> positions = shape.positions();
    List<Field> fields = new ArrayList<>();
    for (JsonNode node : row.path("fields")) {
      String name = node.path("field").asText("");
      Integer position = positions.get(name);
      if (position != null) {
        try {
          fields.add(field(shape.columns().get(position), position, ConnectTypes.spec(node)));
        } catch (Problem problem) {
          throw problem.in("column " + name);
        }
      }
    }
    return new RowPlan(fields);
  }

  /** The field at a place in the order of the schema; null beyond the last. */
  @Nullable Field at(int index) {
    return index < fields.length ? fields[index] : null;
  }

  /**
   * The field of a name; null if the shape has no such column or the schema does not describe it.
   */
  @Nullable Field named(String name) {
    return byName.get(name);
  }

  private static Field field(Column column, int position, ColumnSpec wire) {
    return new Field(
        new SerializedString(column.name()),
        position,
        column.key(),
        column.key()
            ? Converters.forKey(wire, column.type())
            : Converters.forColumn(wire, column.type()));
  }
}
