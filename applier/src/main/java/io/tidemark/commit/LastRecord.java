package io.tidemark.commit;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of the last record that was read of a partition, so that another one in its
 * place is noticed.
 *
 * @param offset its own
 * @param timestampMillis Kafka's of it, milliseconds since 1970-01-01T00:00:00Z
 * @param hash of its key and value; says nothing of what they hold
 */
public record LastRecord(long offset, long timestampMillis, long hash) {

  /** Of a record with these bytes. */
  public static LastRecord of(
      long offset, long timestampMillis, byte @Nullable [] key, byte @Nullable [] value) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
    for (byte[] part : new byte @Nullable [][] {key, value}) {
      // With its length, or what moves from the key to the value would not be seen.
      digest.update(ByteBuffer.allocate(4).putInt(part == null ? -1 : part.length).array());
      if (part != null) {
        digest.update(part);
      }
    }
    return new LastRecord(offset, timestampMillis, ByteBuffer.wrap(digest.digest()).getLong());
  }

  /** The later of two of a partition; this one if they have the same offset. */
  LastRecord orLater(LastRecord other) {
    return other.offset > offset ? other : this;
  }
}
