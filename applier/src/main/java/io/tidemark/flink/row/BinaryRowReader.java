package io.tidemark.flink.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;

/**
 * Reads the columns of a row that {@link BinaryRowEncoder} wrote, where they lie.
 *
 * <p>Points at one row after the other and allocates nothing itself, which Flink's own reader
 * cannot do: it wraps every row and every string. Not thread-safe.
 */
public final class BinaryRowReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  private static final long INLINE = 0x80L << 56;
  private static final int LONGEST_COMPACT_DECIMAL = 18;
  private static final byte[] NOTHING = {};

  private final int nullBytes;
  private byte[] bytes = NOTHING;

  /** A reader for rows with so many columns. */
  public BinaryRowReader(int arity) {
    nullBytes = BinaryRowData.calculateBitSetWidthInBytes(arity);
  }

  /** Reads from this row from now on. */
  public void pointTo(byte[] row) {
    bytes = row;
  }

  /** The row that is read from: positions of {@link #start} are in it. */
  public byte[] row() {
    return bytes;
  }

  /** Whether the column is null; what else is read of a null column is undefined. */
  public boolean isNull(int column) {
    int bit = column + BinaryRowData.HEADER_SIZE_IN_BITS;
    return (bytes[bit >>> 3] & (1 << (bit & 7))) != 0;
  }

  /** Reads a boolean. */
  public boolean getBoolean(int column) {
    return bytes[slot(column)] != 0;
  }

  /** Reads an int or a date. */
  public int getInt(int column) {
    return (int) INT.get(bytes, slot(column));
  }

  /** Reads a long, a time or a timestamp. */
  public long getLong(int column) {
    return (long) LONG.get(bytes, slot(column));
  }

  /** Reads a float. */
  public float getFloat(int column) {
    return Float.intBitsToFloat(getInt(column));
  }

  /** Reads a double. */
  public double getDouble(int column) {
    return Double.longBitsToDouble(getLong(column));
  }

  /** Where the bytes of a string, binary or uuid begin in {@link #row()}. */
  public int start(int column) {
    int slot = slot(column);
    long where = (long) LONG.get(bytes, slot);
    if ((where & INLINE) != 0) {
      return LITTLE_ENDIAN ? slot : slot + 1;
    }
    return (int) (where >>> 32);
  }

  /** How many bytes a string, binary or uuid has. */
  public int length(int column) {
    long where = (long) LONG.get(bytes, slot(column));
    return (where & INLINE) != 0 ? (int) ((where & ~INLINE) >>> 56) : (int) where;
  }

  /** Copies the bytes of a string, binary or uuid. */
  public byte[] getBytes(int column) {
    int start = start(column);
    return Arrays.copyOfRange(bytes, start, start + length(column));
  }

  /** Reads a string. */
  public String getString(int column) {
    return new String(bytes, start(column), length(column), StandardCharsets.UTF_8);
  }

  /** Reads a uuid. */
  public java.util.UUID getUuid(int column) {
    ByteBuffer numbers = ByteBuffer.wrap(bytes, start(column), 16);
    return new java.util.UUID(numbers.getLong(), numbers.getLong());
  }

  /** Reads a decimal. */
  public BigDecimal getDecimal(int column, int precision, int scale) {
    if (precision <= LONGEST_COMPACT_DECIMAL) {
      return BigDecimal.valueOf(getLong(column), scale);
    }
    long where = (long) LONG.get(bytes, slot(column));
    return new BigDecimal(new BigInteger(bytes, (int) (where >>> 32), (int) where), scale);
  }

  /** Reads a list. */
  public ArrayData getArray(int column) {
    return BinarySegmentUtils.readArrayData(segments(), 0, getLong(column));
  }

  /** Reads a map. */
  public MapData getMap(int column) {
    return BinarySegmentUtils.readMapData(segments(), 0, getLong(column));
  }

  /** Reads a struct of so many fields. */
  public RowData getStruct(int column, int fields) {
    return BinarySegmentUtils.readRowData(segments(), fields, 0, getLong(column));
  }

  private MemorySegment[] segments() {
    return new MemorySegment[] {MemorySegmentFactory.wrap(bytes)};
  }

  private int slot(int column) {
    return nullBytes + 8 * column;
  }
}
