package io.tidemark.change;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * A row's key in canonical bytes: equal keys have equal bytes, and the unsigned order of the bytes
 * is the natural order of the key columns. {@link KeyWriter} makes them.
 */
public final class PrimaryKey implements Comparable<PrimaryKey> {
  private final byte[] bytes;
  private final int hash;

  private PrimaryKey(byte[] bytes) {
    this.bytes = bytes;
    this.hash = Arrays.hashCode(bytes);
  }

  /**
   * Wraps canonical bytes.
   *
   * @param bytes taken over, not copied: the caller must not change them afterwards
   */
  public static PrimaryKey of(byte[] bytes) {
    return new PrimaryKey(bytes);
  }

  /** The canonical bytes, not a copy: the caller must not change them. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(PrimaryKey other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PrimaryKey key && hash == key.hash && Arrays.equals(bytes, key.bytes);
  }

  /** Depends on the bytes alone, in every process: Flink assigns keys to subtasks by it. */
  @Override
  public int hashCode() {
    return hash;
  }

  /** The number of bytes only: keys are row contents and do not belong into a log. */
  @Override
  public String toString() {
    return "PrimaryKey[" + bytes.length + " bytes]";
  }

  /** The bytes in hexadecimal, for people who asked for this key. */
  public String toHex() {
    return HexFormat.of().formatHex(bytes);
  }
}
