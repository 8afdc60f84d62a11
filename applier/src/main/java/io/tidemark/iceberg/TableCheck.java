package io.tidemark.iceberg;

import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Whether an existing table can take the rows that are to go into it. */
final class TableCheck {
  private TableCheck() {}

  static List<String> mismatches(Table table, TableDefinition definition) {
    List<String> found = new ArrayList<>();
    Schema schema = table.schema();
    columns(schema, definition.shape(), found);
    keys(schema, definition.shape(), found);
    added(schema, false, definition.adopts(), found);
    kept(schema, found);
    surplus(schema, definition.shape(), found);
    for (PartitionSpec spec : table.specs().values()) {
      for (PartitionField field : spec.fields()) {
        String problem = PartitionExpressions.problem(field, schema);
        if (problem != null) {
          found.add(problem);
        }
      }
    }
    String scheme = table.properties().get(IcebergTables.VERSION_SCHEME);
    if (scheme != null && !scheme.equals(definition.versionScheme())) {
      found.add(
          "its commit versions are made of "
              + scheme
              + ", the changes' of "
              + definition.versionScheme()
              + ": versions of two schemes cannot be compared");
    }
    int version = ((HasTableOperations) table).operations().current().formatVersion();
    if (version < 2) {
      found.add("its format-version is " + version + ", deletes need 2 or above");
    }
    String format = table.properties().getOrDefault(TableProperties.DEFAULT_FILE_FORMAT, "parquet");
    if (!format.toLowerCase(Locale.ROOT).equals("parquet")) {
      found.add(
          TableProperties.DEFAULT_FILE_FORMAT + " is " + format + ", only parquet can be written");
    }
    return found;
  }

  static List<String> tombstoneMismatches(Table table, RowShape shape) {
    List<String> found = new ArrayList<>();
    List<Column> keys = shape.columns().stream().filter(Column::key).toList();
    RowShape keyShape = new RowShape(keys);
    columns(table.schema(), keyShape, found);
    added(table.schema(), true, false, found);
    surplus(table.schema(), keyShape, found);
    return found;
  }

  private static void columns(Schema schema, RowShape shape, List<String> found) {
    for (Column column : shape.columns()) {
      Types.NestedField field = schema.asStruct().field(column.name());
      if (field == null) {
        found.add("column " + column.name() + " of type " + column.type() + " is missing");
      } else {
        String has = typeName(field);
        if (!has.equals(column.type().toString())) {
          found.add(
              "column "
                  + column.name()
                  + " has type "
                  + has
                  + ", the changes' is "
                  + column.type());
        }
        if (field.isRequired() && !column.key()) {
          found.add(
              "column "
                  + column.name()
                  + " is required, but only key columns are sure to have a value");
        }
      }
    }
  }

  /** The order matters: it is the order in which the key's bytes are written. */
  private static void keys(Schema schema, RowShape shape, List<String> found) {
    Set<Integer> ids = schema.identifierFieldIds();
    List<String> has =
        schema.columns().stream()
            .filter(field -> ids.contains(field.fieldId()))
            .map(Types.NestedField::name)
            .toList();
    List<String> wanted = shape.columns().stream().filter(Column::key).map(Column::name).toList();
    if (!has.equals(wanted)) {
      found.add("its identifier fields are " + has + ", the changes' key is " + wanted);
    }
  }

  private static void added(Schema schema, boolean required, boolean mayLack, List<String> found) {
    Map<String, Type> wanted = new LinkedHashMap<>();
    wanted.put(AddedColumns.COMMIT_VERSION, Types.StringType.get());
    wanted.put(AddedColumns.SOURCE_TS, Types.TimestampType.withZone());
    wanted.forEach(
        (name, type) -> {
          Types.NestedField field = schema.asStruct().field(name);
          if (field == null) {
            if (!mayLack) {
              found.add("column " + name + " of type " + type + " is missing");
            }
          } else if (!field.type().equals(type)) {
            found.add("column " + name + " has type " + field.type() + ", expected " + type);
          } else if (required && field.isOptional()) {
            found.add("column " + name + " is optional, expected it to be required");
          }
        });
  }

  /** Where it is missing it is added. */
  private static void kept(Schema schema, List<String> found) {
    Types.NestedField field = schema.asStruct().field(AddedColumns.KEPT);
    String wanted = RowShapes.KEPT.toString();
    if (field != null && (!typeName(field).equals(wanted) || field.isRequired())) {
      found.add(
          "column "
              + AddedColumns.KEPT
              + " has type "
              + typeName(field)
              + (field.isRequired() ? " and is required" : "")
              + ", expected an optional "
              + wanted);
    }
  }

  private static void surplus(Schema schema, RowShape shape, List<String> found) {
    Set<String> known = shape.positions().keySet();
    for (Types.NestedField field : schema.columns()) {
      if (field.isRequired()
          && !known.contains(field.name())
          && !AddedColumns.contains(field.name())) {
        found.add("column " + field.name() + " is required, but the changes do not have it");
      }
    }
  }

  private static String typeName(Types.NestedField field) {
    try {
      ColumnType type = RowShapes.columnType(field.name(), field.type());
      return type.toString();
    } catch (IllegalArgumentException e) {
      return field.type().toString();
    }
  }
}
