package io.tidemark.change;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Writes key columns, one after the other, into the canonical bytes of a {@link PrimaryKey}.
 *
 * <p>Every encoding is either of fixed width or ends with a terminator, so that no two different
 * lists of values meet in the same bytes. Reusable; not thread-safe.
 */
public final class KeyWriter {
  private static final int DECIMAL_BYTES = 16;

  private byte[] buffer = new byte[64];
  private int length;

  /** Starts a new key. */
  public KeyWriter start() {
    length = 0;
    return this;
  }

  /** Appends one byte: 1 for true. */
  public void writeBoolean(boolean value) {
    room(1);
    buffer[length++] = (byte) (value ? 1 : 0);
  }

  /** Appends four bytes. */
  public void writeInt(int value) {
    room(4);
    int flipped = value ^ Integer.MIN_VALUE;
    for (int shift = 24; shift >= 0; shift -= 8) {
      buffer[length++] = (byte) (flipped >>> shift);
    }
  }

  /** Appends eight bytes. */
  public void writeLong(long value) {
    appendBigEndian(value ^ Long.MIN_VALUE);
  }

  /** Appends the UTF-8 bytes, terminated. */
  public void writeString(String value) {
    writeBytes(value.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Appends bytes of any length. A zero byte is followed by 0xff and the end is two zero bytes, so
   * that a prefix sorts before what it is a prefix of and cannot be mistaken for it.
   */
  public void writeBytes(byte[] value) {
    room(2 * value.length + 2);
    for (byte b : value) {
      buffer[length++] = b;
      if (b == 0) {
        buffer[length++] = (byte) 0xff;
      }
    }
    buffer[length++] = 0;
    buffer[length++] = 0;
  }

  /** Appends sixteen bytes, in the order of the text form. */
  public void writeUuid(UUID value) {
    appendBigEndian(value.getMostSignificantBits());
    appendBigEndian(value.getLeastSignificantBits());
  }

  /**
   * Appends sixteen bytes: the unscaled value.
   *
   * @param value of the column's own scale, so that equal numbers have equal bytes; at most 38
   *     digits
   * @throws IllegalArgumentException if the unscaled value needs more than sixteen bytes
   */
  public void writeDecimal(BigDecimal value) {
    BigInteger unscaled = value.unscaledValue();
    byte[] bytes = unscaled.toByteArray();
    if (bytes.length > DECIMAL_BYTES) {
      throw new IllegalArgumentException(
          "A decimal key has at most 38 digits, got " + value.precision());
    }
    room(DECIMAL_BYTES);
    int from = length;
    Arrays.fill(
        buffer,
        from,
        from + DECIMAL_BYTES - bytes.length,
        (byte) (unscaled.signum() < 0 ? 0xff : 0));
    System.arraycopy(bytes, 0, buffer, from + DECIMAL_BYTES - bytes.length, bytes.length);
    buffer[from] ^= (byte) 0x80; // negative before positive in unsigned order
    length += DECIMAL_BYTES;
  }

  /** The key of all that was written since {@link #start()}. */
  public PrimaryKey finish() {
    return PrimaryKey.of(Arrays.copyOf(buffer, length));
  }

  private void appendBigEndian(long value) {
    room(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      buffer[length++] = (byte) (value >>> shift);
    }
  }

  private void room(int more) {
    if (length + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, length + more));
    }
  }
}
