package io.tidemark.iceberg;

import io.tidemark.commit.TableChangedException;
import io.tidemark.failure.RefusedException;
import io.tidemark.flink.row.BinaryRowReader;
import io.tidemark.merge.Placement;
import io.tidemark.row.RowShape;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Conversions;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/**
 * Where rows lie, as the values of the columns that any of the table's partition specs uses. The
 * values and not the partitions are kept, because compaction moves rows from the partitions of one
 * spec to those of another.
 *
 * <p>The bytes: a version, then for each column in the order of their field ids the id, the length
 * of the value plus one, or zero for null, and Iceberg's binary form of the value. Not thread-safe.
 */
final class RowPlacement implements Placement {
  private static final byte FORMAT = 1;
  private static final byte[] NOWHERE = {};

  private final List<Source> sources = new ArrayList<>();
  private final BinaryRowReader reader;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ArrayStruct values;

  /** A column that a partition spec uses. */
  private record Source(int fieldId, String name, Type type, int position, ColumnGetter getter) {}

  RowPlacement(Schema schema, Collection<PartitionSpec> specs, RowShape shape) {
    reader = new BinaryRowReader(shape.columns().size());
    values = new ArrayStruct(schema.columns().size());
    TreeSet<Integer> ids = new TreeSet<>();
    for (PartitionSpec spec : specs) {
      for (PartitionField field : spec.fields()) {
        if (!field.transform().isVoid()) {
          ids.add(field.sourceId());
        }
      }
    }
    for (int id : ids) {
      Types.NestedField field = schema.asStruct().field(id);
      Integer column = field == null ? null : shape.positions().get(field.name());
      if (field == null || column == null) {
        throw new TableChangedException(
            "The table is partitioned by field " + id + ", which is no column of its changes");
      }
      sources.add(
          new Source(
              id,
              field.name(),
              field.type(),
              schema.columns().indexOf(field),
              ColumnGetter.of(shape.columns().get(column).type(), column)));
    }
  }

  @Override
  public byte[] of(byte[] row) {
    return sources.isEmpty() ? NOWHERE : encode(valuesOf(row));
  }

  /**
   * The values that a row has, at the positions of the table's columns; reused by the next call.
   */
  StructLike valuesOf(byte[] row) {
    reader.pointTo(row);
    for (Source source : sources) {
      values.set(source.position(), source.getter().get(reader));
    }
    return values;
  }

  /**
   * Writes values.
   *
   * @param row with Iceberg's internal values at the positions of the table's columns
   */
  byte[] encode(StructLike row) {
    if (sources.isEmpty()) {
      return NOWHERE;
    }
    out.reset();
    out.write(FORMAT);
    for (Source source : sources) {
      writeNumber(source.fieldId());
      Object value = row.get(source.position(), Object.class);
      if (value == null) {
        writeNumber(0);
      } else {
        ByteBuffer bytes = Conversions.toByteBuffer(source.type(), value);
        writeNumber(bytes.remaining() + 1);
        out.write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
      }
    }
    return out.toByteArray();
  }

  /**
   * Reads what {@link #of} wrote; the result is reused by the next call.
   *
   * @throws TableChangedException if it lacks a column that the table is partitioned by now
   */
  StructLike decode(byte[] placement) {
    if (sources.isEmpty()) {
      return values;
    }
    ByteBuffer in = ByteBuffer.wrap(placement);
    if (!in.hasRemaining()) {
      throw missing(sources.get(0));
    }
    byte format = in.get();
    if (format != FORMAT) {
      throw RefusedException.newerState("A mark's partition in state", format, FORMAT);
    }
    int next = 0;
    while (in.hasRemaining()) {
      int id = readNumber(in);
      int length = readNumber(in) - 1;
      ByteBuffer bytes = length < 0 ? null : in.slice(in.position(), length);
      in.position(in.position() + Math.max(length, 0));
      if (next < sources.size() && sources.get(next).fieldId() < id) {
        throw missing(sources.get(next));
      }
      if (next < sources.size() && sources.get(next).fieldId() == id) {
        Source source = sources.get(next++);
        values.set(source.position(), read(source.type(), bytes));
      }
    }
    if (next < sources.size()) {
      throw missing(sources.get(next));
    }
    return values;
  }

  private static @Nullable Object read(Type type, @Nullable ByteBuffer bytes) {
    if (bytes == null) {
      return null;
    }
    Object value = Conversions.fromByteBuffer(type, bytes);
    return value instanceof CharSequence text ? text.toString() : value;
  }

  private static TableChangedException missing(Source source) {
    return new TableChangedException(
        "The table is partitioned by "
            + source.name()
            + ", which the marks do not know: they were made under an older partitioning. Start"
            + " without state: they are read from the table again");
  }

  private void writeNumber(int number) {
    int rest = number;
    while ((rest & ~0x7f) != 0) {
      out.write((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    out.write(rest);
  }

  private static int readNumber(ByteBuffer in) {
    int number = 0;
    for (int shift = 0; ; shift += 7) {
      byte part = in.get();
      number |= (part & 0x7f) << shift;
      if (part >= 0) {
        return number;
      }
    }
  }
}
