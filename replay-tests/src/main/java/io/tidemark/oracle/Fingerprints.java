package io.tidemark.oracle;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands for values that are too many to keep: 64 bits of each, of a cryptographic hash, so that
 * two different values pass for equal once in 10^19. Not thread-safe.
 */
final class Fingerprints {

  private final MessageDigest digest;
  private final StringBuilder text = new StringBuilder();

  Fingerprints() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java platform has it
    }
  }

  /** That of a value; 0 for null. */
  long of(@Nullable Object value) {
    if (value == null) {
      return 0;
    }
    text.setLength(0);
    write(value);
    byte[] hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
    long print = ByteBuffer.wrap(hash).getLong();
    return print == 0 ? 1 : print;
  }

  /** Type and content, each value ending where no other can. */
  private void write(@Nullable Object value) {
    if (value == null) {
      text.append("null;");
    } else if (value instanceof String string) {
      text.append("text ").append(string.length()).append(' ').append(string);
    } else if (value instanceof ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      text.append("bytes ").append(HexFormat.of().formatHex(copy)).append(';');
    } else if (value instanceof List<?> list) {
      text.append('[');
      list.forEach(this::write);
      text.append(']');
    } else if (value instanceof Map<?, ?> map) {
      text.append('{');
      new TreeMap<>(map)
          .forEach(
              (key, inner) -> {
                write(key);
                write(inner);
              });
      text.append('}');
    } else {
      text.append(value.getClass().getSimpleName()).append(' ').append(value).append(';');
    }
  }
}
