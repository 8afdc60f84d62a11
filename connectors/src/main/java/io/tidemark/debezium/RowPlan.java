package io.tidemark.debezium;

import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.ConnectTypes;
import io.tidemark.debezium.value.Converters;
import io.tidemark.debezium.value.Encoding;
import io.tidemark.debezium.value.RowBudget;
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
 * schema that messages bring. Immutable, but for the budget that its converters share.
 */
final class RowPlan {

  /**
   * One field.
   *
   * @param place its place in the order in which fields are expected
   * @param column its position in the shape
   * @param key whether it is a key column
   */
  record Field(
      SerializedString name, int place, int column, boolean key, ValueConverter converter) {}

  private final Field[] fields;
  private final Map<String, Field> byName = new HashMap<>();

  private RowPlan(List<Field> fields) {
    this.fields = fields.toArray(new Field[0]);
    fields.forEach(field -> byName.put(field.name().getValue(), field));
  }

  /**
   * For messages without schema: the shape's types, each in the encoding that is declared for it.
   */
  static RowPlan ofShape(RowShape shape, Map<String, Encoding> encodings, RowBudget budget) {
    List<Field> fields = new ArrayList<>();
    List<Column> columns = shape.columns();
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      ColumnSpec declared = declared(column, encodings);
      ColumnSpec wire = declared == null ? ColumnSpec.of(column.type()) : declared;
      fields.add(field(column, i, i, wire, budget));
    }
    return new RowPlan(fields);
  }

  /**
   * For messages with this schema. Fields that the shape does not have are left out.
   *
   * @param row the Connect schema of the row, a struct
   * @param encodings what is declared, for columns whose Connect type is not supported, and for
   *     what a schema does not tell of text, see {@link ColumnSpec#over}
   */
  static RowPlan ofSchema(
      JsonNode row, RowShape shape, Map<String, Encoding> encodings, RowBudget budget)
      throws Problem {
    ConnectTypes.requireBounded(row);
    Map<String, Integer> positions = shape.positions();
    List<Field> fields = new ArrayList<>();
    for (JsonNode node : row.path("fields")) {
      Integer position = positions.get(node.path("field").asText(""));
      if (position != null) {
        Column column = shape.columns().get(position);
        ColumnSpec wire = wire(node, column, declared(column, encodings));
        fields.add(field(column, fields.size(), position, wire, budget));
      }
    }
    return new RowPlan(fields);
  }

  private static ColumnSpec wire(JsonNode node, Column column, @Nullable ColumnSpec declared)
      throws Problem {
    try {
      ColumnSpec sent = ConnectTypes.spec(node);
      return declared == null ? sent : declared.over(sent);
    } catch (Problem problem) {
      if (declared == null) {
        throw problem.in("column " + column.name());
      }
      return declared;
    }
  }

  private static @Nullable ColumnSpec declared(Column column, Map<String, Encoding> encodings) {
    Encoding encoding = encodings.get(column.name());
    return encoding == null ? null : new ColumnSpec(column.type(), encoding);
  }

  /** The field that is expected at a place; null beyond the last. */
  @Nullable Field at(int index) {
    return index < fields.length ? fields[index] : null;
  }

  /**
   * The field of a name; null if the shape has no such column or the schema does not describe it.
   */
  @Nullable Field named(String name) {
    return byName.get(name);
  }

  private static Field field(
      Column column, int place, int position, ColumnSpec wire, RowBudget budget) {
    return new Field(
        new SerializedString(column.name()),
        place,
        position,
        column.key(),
        column.key()
            ? Converters.forKey(wire, column.type(), budget)
            : Converters.forColumn(wire, column.type(), budget));
  }
}
