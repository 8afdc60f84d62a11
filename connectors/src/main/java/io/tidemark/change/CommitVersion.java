package io.tidemark.change;

import java.nio.ByteBuffer;
import java.util.regex.Pattern;

/**
 * The version that decides between two changes of one key: {@code (epoch, position, phase, Kafka
 * offset)}, compared left to right.
 *
 * @param epoch raised by an operator when the source's positions started over; at least 0
 * @param position the change's place in its source's commit order; for the rows of a snapshot the
 *     place that {@link PartitionLedger} gave to the snapshot
 * @param phase 0 for a change of the stream, 1 for a row of a non-incremental snapshot, which
 *     thereby stands just above the position that it was ranked at
 * @param offset the record's Kafka offset, which decides only between equal positions; at least 0
 */
public record CommitVersion(int epoch, Position position, int phase, long offset)
    implements Comparable<CommitVersion> {

  /** Phase of a change that was streamed from the source's log. */
  public static final int STREAM = 0;

  /** Phase of a row that a non-incremental snapshot read. */
  public static final int SNAPSHOT = 1;

  /** Length of {@link #encode()}. */
  public static final int ENCODED_BYTES = 4 + 3 * 8 + 1 + 8;

  private static final Pattern TEXT =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{16}){3}-[01]-[0-9a-f]{16}");

  public CommitVersion {
    if (epoch < 0) {
      throw new IllegalArgumentException("epoch must not be negative, got " + epoch);
    }
    if (phase != STREAM && phase != SNAPSHOT) {
      throw new IllegalArgumentException("phase must be 0 or 1, got " + phase);
    }
    if (offset < 0) {
      throw new IllegalArgumentException("offset must not be negative, got " + offset);
    }
  }

  @Override
  public int compareTo(CommitVersion other) {
    int order = comparePosition(other);
    return order != 0 ? order : Long.compare(offset, other.offset);
  }

  /**
   * Compares all but the Kafka offset: 0 means that both are the same event or tie at the source.
   */
  public int comparePosition(CommitVersion other) {
    int order = Integer.compare(epoch, other.epoch);
    if (order == 0) {
      order = position.compareTo(other.position);
    }
    return order != 0 ? order : Integer.compare(phase, other.phase);
  }

  /** This version at another Kafka offset. */
  public CommitVersion atOffset(long newOffset) {
    return new CommitVersion(epoch, position, phase, newOffset);
  }

  /** {@link #ENCODED_BYTES} bytes whose unsigned lexicographic order is the order of versions. */
  public byte[] encode() {
    return ByteBuffer.allocate(ENCODED_BYTES)
        .putInt(epoch)
        .putLong(position.p1())
        .putLong(position.p2())
        .putLong(position.p3())
        .put((byte) phase)
        .putLong(offset)
        .array();
  }

  /**
   * Reads what {@link #encode()} wrote.
   *
   * @throws IllegalArgumentException if the length is wrong or a part is out of its range
   */
  public static CommitVersion decode(byte[] encoded) {
    if (encoded.length != ENCODED_BYTES) {
      throw new IllegalArgumentException(
          "An encoded commit version has " + ENCODED_BYTES + " bytes, got " + encoded.length);
    }
    ByteBuffer in = ByteBuffer.wrap(encoded);
    return new CommitVersion(
        in.getInt(),
        new Position(in.getLong(), in.getLong(), in.getLong()),
        in.get(),
        in.getLong());
  }

  /**
   * The form that the tables carry in {@code _commit_version}: the six parts in lower-case
   * hexadecimal at fixed width, so that text order is version order in every engine.
   */
  public String toText() {
    char[] text = new char[8 + 4 * 17 + 2];
    int at = hex(text, 0, Integer.toUnsignedLong(epoch), 8);
    text[at++] = '-';
    at = hex(text, at, position.p1(), 16);
    text[at++] = '-';
    at = hex(text, at, position.p2(), 16);
    text[at++] = '-';
    at = hex(text, at, position.p3(), 16);
    text[at++] = '-';
    text[at++] = (char) ('0' + phase);
    text[at++] = '-';
    hex(text, at, offset, 16);
    return new String(text);
  }

  /**
   * Reads what {@link #toText()} wrote.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static CommitVersion parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "A commit version looks like 00000000-<16 hex>-<16 hex>-<16 hex>-0-<16 hex>, got \""
              + text
              + "\"");
    }
    return new CommitVersion(
        Integer.parseUnsignedInt(text, 0, 8, 16),
        new Position(
            Long.parseUnsignedLong(text, 9, 25, 16),
            Long.parseUnsignedLong(text, 26, 42, 16),
            Long.parseUnsignedLong(text, 43, 59, 16)),
        text.charAt(60) - '0',
        Long.parseUnsignedLong(text, 62, 78, 16));
  }

  @Override
  public String toString() {
    return toText();
  }

  private static int hex(char[] text, int at, long value, int digits) {
    for (int i = digits - 1; i >= 0; i--) {
      text[at++] = Character.forDigit((int) (value >>> (4 * i)) & 0xf, 16);
    }
    return at;
  }
}
