package io.tidemark.flink.row;

import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import io.tidemark.row.RowWriter;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.writer.BinaryRowWriter;
import org.apache.flink.table.runtime.typeutils.ArrayDataSerializer;
import org.apache.flink.table.runtime.typeutils.InternalSerializers;
import org.apache.flink.table.runtime.typeutils.MapDataSerializer;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Encodes rows as the bytes of Flink's binary row.
 *
 * <p>That format appends values of variable length in the order in which they are set. Equal rows
 * must have equal bytes, so a row whose columns came in another order than the shape's is laid out
 * once more at the end. Decoders that set columns in order never pay for it.
 */
public final class BinaryRowEncoder implements RowWriter {
  private final ColumnType[] types;
  private final LogicalType[] stored;
  private final Object[] nested;
  private final BinaryRowData row;
  private final BinaryRowWriter writer;
  private final int fixedBytes;
  private final BitSet set;
  private final byte[] uuid = new byte[16];
  private final ByteBuffer uuidNumbers = ByteBuffer.wrap(uuid);
  private int lastVariable;
  private boolean inOrder;

  /** An encoder for rows of one shape. */
  public BinaryRowEncoder(RowShape shape) {
    int arity = shape.columns().size();
    types = new ColumnType[arity];
    stored = new LogicalType[arity];
    nested = new Object[arity];
    for (int i = 0; i < arity; i++) {
      types[i] = shape.columns().get(i).type();
      stored[i] = FlinkTypes.of(types[i]);
      nested[i] = InternalSerializers.create(stored[i]);
    }
    row = new BinaryRowData(arity);
    writer = new BinaryRowWriter(row);
    fixedBytes = BinaryRowData.calculateFixPartSizeInBytes(arity);
    set = new BitSet(arity);
    start();
  }

  @Override
  public void start() {
    writer.reset();
    // A setter writes only the bytes of its type: the rest of the slot must not be of another row.
    for (int at = 0; at < fixedBytes; at += 8) {
      writer.getSegments().putLong(at, 0);
    }
    set.clear();
    lastVariable = -1;
    inOrder = true;
  }

  @Override
  public void setBoolean(int column, boolean value) {
    set.set(column);
    writer.writeBoolean(column, value);
  }

  @Override
  public void setInt(int column, int value) {
    set.set(column);
    writer.writeInt(column, value);
  }

  @Override
  public void setLong(int column, long value) {
    set.set(column);
    writer.writeLong(column, value);
  }

  @Override
  public void setFloat(int column, float value) {
    set.set(column);
    writer.writeFloat(column, value);
  }

  @Override
  public void setDouble(int column, double value) {
    set.set(column);
    writer.writeDouble(column, value);
  }

  @Override
  public void setDecimal(int column, BigDecimal value) {
    ColumnType.Decimal type = (ColumnType.Decimal) types[column];
    DecimalData decimal =
        value.scale() == type.scale()
            ? DecimalData.fromBigDecimal(value, type.precision(), type.scale())
            : null;
    if (decimal == null) {
      throw new IllegalArgumentException(
          "A value of precision "
              + value.precision()
              + " and scale "
              + value.scale()
              + " is none of "
              + type);
    }
    variable(column);
    writer.writeDecimal(column, decimal, type.precision());
  }

  @Override
  public void setString(int column, String value) {
    variable(column);
    writer.writeString(column, StringData.fromString(value));
  }

  @Override
  public void setBinary(int column, byte[] value) {
    variable(column);
    writer.writeBinary(column, value);
  }

  @Override
  public void setUuid(int column, UUID value) {
    variable(column);
    uuidNumbers.putLong(0, value.getMostSignificantBits());
    uuidNumbers.putLong(8, value.getLeastSignificantBits());
    writer.writeBinary(column, uuid);
  }

  @Override
  public void setList(int column, List<?> value) {
    variable(column);
    writer.writeArray(
        column,
        NestedValues.list((ColumnType.ListOf) types[column], value),
        (ArrayDataSerializer) nested[column]);
  }

  @Override
  public void setMap(int column, Map<String, ?> value) {
    variable(column);
    writer.writeMap(
        column,
        NestedValues.map((ColumnType.MapOf) types[column], value),
        (MapDataSerializer) nested[column]);
  }

  @Override
  public void setStruct(int column, List<?> value) {
    variable(column);
    writer.writeRow(
        column,
        NestedValues.struct((ColumnType.Struct) types[column], value),
        (RowDataSerializer) nested[column]);
  }

  @Override
  public byte[] finish() {
    for (int i = set.nextClearBit(0); i < types.length; i = set.nextClearBit(i + 1)) {
      writer.setNullAt(i);
    }
    writer.complete();
    byte[] bytes = new byte[row.getSizeInBytes()];
    row.getSegments()[0].get(row.getOffset(), bytes);
    return inOrder ? bytes : reordered(bytes);
  }

  private void variable(int column) {
    set.set(column);
    inOrder &= column > lastVariable;
    lastVariable = column;
  }

  private byte[] reordered(byte[] bytes) {
    BinaryRowReader from = new BinaryRowReader(types.length);
    from.pointTo(bytes);
    start();
    for (int i = 0; i < types.length; i++) {
      copyFrom(from, i);
    }
    return finish();
  }

  /** Sets a column as another row of the same shape has it. */
  void copyFrom(BinaryRowReader from, int column) {
    if (!from.isNull(column)) {
      copy(from, column);
    }
  }

  private void copy(BinaryRowReader from, int column) {
    ColumnType type = types[column];
    if (type instanceof ColumnType.ListOf) {
      variable(column);
      writer.writeArray(column, from.getArray(column), (ArrayDataSerializer) nested[column]);
    } else if (type instanceof ColumnType.MapOf) {
      variable(column);
      writer.writeMap(column, from.getMap(column), (MapDataSerializer) nested[column]);
    } else if (type instanceof ColumnType.Struct struct) {
      variable(column);
      writer.writeRow(
          column,
          from.getStruct(column, struct.fields().size()),
          (RowDataSerializer) nested[column]);
    } else if (type instanceof ColumnType.Decimal decimal) {
      setDecimal(column, from.getDecimal(column, decimal.precision(), decimal.scale()));
    } else if (type == ColumnType.Simple.STRING
        || type == ColumnType.Simple.BINARY
        || type == ColumnType.Simple.UUID) {
      setBinary(column, from.getBytes(column));
    } else {
      setLong(column, from.getLong(column)); // the whole slot, whatever its type
    }
  }
}
