package io.tidemark.debezium.avro;

import io.tidemark.debezium.json.BrokenInput;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Avro's binary encoding, from a place in a message on. Every read stays inside the message. */
final class AvroBytes {
  private static final char REPLACEMENT = '\ufffd';

  private final byte[] bytes;
  private int at;

  AvroBytes(byte[] bytes, int from) {
    this.bytes = bytes;
    this.at = from;
  }

  /** Index of the next byte. */
  int at() {
    return at;
  }

  /** How many bytes are left. */
  int left() {
    return bytes.length - at;
  }

  boolean readBoolean() throws BrokenInput {
    need(1);
    byte b = bytes[at++];
    if (b != 0 && b != 1) {
      throw new BrokenInput("expected an Avro boolean, found another byte than 0 and 1");
    }
    return b == 1;
  }

  int readInt() throws BrokenInput {
    long number = readLong();
    if (number != (int) number) {
      throw new BrokenInput("expected an Avro int, found a number of more than 32 bits");
    }
    return (int) number;
  }

  /** Seven bits a byte, lowest first, the sign in the lowest bit. */
  long readLong() throws BrokenInput {
    long bits = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      need(1);
      byte b = bytes[at++];
      if (shift == 63 && (b & 0xfe) != 0) {
        break;
      }
      bits |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        return bits >>> 1 ^ -(bits & 1);
      }
    }
    throw new BrokenInput("expected an Avro long, found a number of more than 64 bits");
  }

  float readFloat() throws BrokenInput {
    need(4);
    int bits = 0;
    for (int i = 3; i >= 0; i--) {
      bits = bits << 8 | (bytes[at + i] & 0xff);
    }
    at += 4;
    return Float.intBitsToFloat(bits);
  }

  double readDouble() throws BrokenInput {
    need(8);
    long bits = 0;
    for (int i = 7; i >= 0; i--) {
      bits = bits << 8 | (bytes[at + i] & 0xff);
    }
    at += 8;
    return Double.longBitsToDouble(bits);
  }

  /** The length of text or bytes, all of which are there. */
  int readLength() throws BrokenInput {
    long length = readLong();
    if (length < 0) {
      throw new BrokenInput("Avro with a negative length");
    }
    need(length);
    return (int) length;
  }

  /** How many elements the next block has; 0 after the last. */
  long readBlock() throws BrokenInput {
    long count = readLong();
    if (count >= 0) {
      return count;
    }
    long size = readLong(); // for readers that skip a block
    if (size < 0 || count == Long.MIN_VALUE) {
      throw new BrokenInput("Avro with a block of impossible size");
    }
    need(size);
    return -count;
  }

  /** Steps over bytes that are there. */
  void skip(int count) throws BrokenInput {
    need(count);
    at += count;
  }

  byte[] copy(int from, int length) {
    return Arrays.copyOfRange(bytes, from, from + length);
  }

  String text(int from, int length) throws BrokenInput {
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    // Its stand-in for what is malformed may also be what was sent: only then a second look.
    if (text.indexOf(REPLACEMENT) >= 0) {
      requireUtf8(from, length);
    }
    return text;
  }

  private void requireUtf8(int from, int length) throws BrokenInput {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
    } catch (CharacterCodingException malformed) {
      throw new BrokenInput("expected text in UTF-8, found bytes that are not UTF-8");
    }
  }

  private void need(long count) throws BrokenInput {
    if (count > bytes.length - at) {
      throw new BrokenInput("Avro that ends early, or was written with another schema");
    }
  }
}
