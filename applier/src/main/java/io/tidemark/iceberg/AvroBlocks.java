package io.tidemark.iceberg;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The blocks of an Avro file, which Iceberg's manifests and their lists are. Avro's own reader
 * takes the end of a file that was cut, and zeros in it, for the end of what was written: a table
 * would be without some of its files, and nobody would know.
 *
 * @see <a
 *     href="https://avro.apache.org/docs/1.12.0/specification/#object-container-files">format</a>
 */
final class AvroBlocks {
  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int SYNC = 16;

  private final ByteBuffer in;

  private AvroBlocks(byte[] file) {
    this.in = ByteBuffer.wrap(file);
  }

  /**
   * How many records the blocks of a file say that they have.
   *
   * @throws IllegalArgumentException if it is not a row of whole blocks, with what was found
   */
  static long records(byte[] file) {
    AvroBlocks blocks = new AvroBlocks(file);
    try {
      return blocks.count();
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("it ends in the middle of a block");
    }
  }

  private long count() {
    if (!Arrays.equals(bytes(MAGIC.length), MAGIC)) {
      throw new IllegalArgumentException("it does not begin as an Avro file does");
    }
    for (long entries = number(); entries != 0; entries = number()) {
      if (entries < 0) {
        number(); // bytes of this part of the header
      }
      for (long i = Math.abs(entries); i > 0; i--) {
        skip(number());
        skip(number());
      }
    }
    byte[] sync = bytes(SYNC);
    if (Arrays.equals(sync, new byte[SYNC])) {
      // It is random. Zeros from the header on would look like blocks without records.
      throw new IllegalArgumentException("its header ends in zeros");
    }
    long records = 0;
    while (in.hasRemaining()) {
      int at = in.position();
      long count = number();
      skip(number());
      if (count < 0 || !Arrays.equals(bytes(SYNC), sync)) {
        throw new IllegalArgumentException("at byte " + at + " there is no whole block");
      }
      records += count;
    }
    return records;
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  private void skip(long count) {
    if (count < 0 || count > in.remaining()) {
      throw new BufferUnderflowException();
    }
    in.position(in.position() + (int) count);
  }

  /** Zig-zag, seven bits a byte, the lowest first. */
  private long number() {
    long bits = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = in.get();
      bits |= (next & 0x7FL) << shift;
      if (next >= 0) {
        return (bits >>> 1) ^ -(bits & 1);
      }
    }
    throw new IllegalArgumentException("at byte " + in.position() + " there is no number");
  }
}
