package io.tidemark.iceberg;

import io.tidemark.change.KeyWriter;
import io.tidemark.change.PrimaryKey;
import io.tidemark.row.ColumnType;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Types;

/**
 * Makes the keys of rows that were read back from a table: the same bytes that a decoder makes,
 * from the key columns in the order of the table's columns. Not thread-safe.
 */
final class StructKeys {
  private final KeyWriter writer = new KeyWriter();
  private final List<Part> parts = new ArrayList<>();

  /** A key column and its position in the rows. */
  private record Part(String name, ColumnType type, int position) {}

  /**
   * Keys of rows.
   *
   * @param rows the schema of the rows
   * @param names the key columns, in the order of the table's columns
   */
  StructKeys(Schema rows, List<String> names) {
    for (String name : names) {
      Types.NestedField field = rows.asStruct().field(name);
      if (field == null) {
        throw new IllegalArgumentException("The rows lack the key column " + name);
      }
      parts.add(
          new Part(name, RowShapes.columnType(name, field.type()), rows.columns().indexOf(field)));
    }
  }

  /** The names of a table's identifier fields, in the order of its columns. */
  static List<String> names(Schema table) {
    Set<Integer> ids = table.identifierFieldIds();
    return table.columns().stream()
        .filter(field -> ids.contains(field.fieldId()))
        .map(Types.NestedField::name)
        .toList();
  }

  /**
   * The key of a row.
   *
   * @param row in Iceberg's internal representation
   * @throws IllegalArgumentException if it has null in a key column, as files that others made may
   */
  PrimaryKey of(StructLike row) {
    writer.start();
    for (Part part : parts) {
      Object value = row.get(part.position(), Object.class);
      if (value == null) {
        throw new IllegalArgumentException(
            "A row has null in the key column " + part.name() + ", and no change has such a key");
      }
      write(part.type(), value);
    }
    return writer.finish();
  }

  private void write(ColumnType type, Object value) {
    if (type instanceof ColumnType.Decimal) {
      writer.writeDecimal((BigDecimal) value);
      return;
    }
    switch ((ColumnType.Simple) type) {
      case BOOLEAN -> writer.writeBoolean((Boolean) value);
      case INT, DATE -> writer.writeInt((Integer) value);
      case LONG, TIME, TIMESTAMP, TIMESTAMPTZ -> writer.writeLong((Long) value);
      case STRING -> writer.writeString(value.toString());
      case UUID -> writer.writeUuid((UUID) value);
      case BINARY -> {
        ByteBuffer bytes = ((ByteBuffer) value).duplicate();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        writer.writeBytes(copy);
      }
      case FLOAT, DOUBLE ->
          throw new IllegalArgumentException("A column of type " + type + " cannot be a key");
    }
  }
}
