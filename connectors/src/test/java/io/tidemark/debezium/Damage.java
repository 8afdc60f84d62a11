package io.tidemark.debezium;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/** Makes damaged messages of others: cut, spliced, repeated and overwritten bytes. */
final class Damage {
  private static final String[] TOKENS = {
    "null",
    "true",
    "-1",
    "1e400",
    "1e-99999",
    "\"1E+99999\"",
    "{\"scale\":-99999,\"value\":\"AQ==\"}",
    "99999999999999999999",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "\\u0000",
    "\\ud800",
    "{\"a\":1}",
    "[[[]]]",
    "\"op\":\"d\",",
    "\"after\":{},",
    "\"__deleted\":\"true\",",
    "\"__source_lsn\":-1,",
    "NaN",
    // Avro: the longest length there can be, a negative one, a number without end, a NaN.
    "\u00fe\u00ff\u00ff\u00ff\u000f",
    "\u0001",
    "\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff\u00ff",
    "\u0000\u0000\u00c0\u007f"
  };

  private static final String LETTERS = "0123456789abcdefxyzABC_-.,";

  private final Random random;

  Damage(Random random) {
    this.random = random;
  }

  /** The record with damage to its key, its value or a header. */
  RawRecord to(RawRecord seed) {
    int part = random.nextInt(10);
    return new RawRecord(
        seed.at(),
        0,
        part < 2 ? damaged(seed.key()) : seed.key(),
        part >= 2 || seed.headers().isEmpty() ? damaged(seed.value()) : seed.value(),
        part == 1 ? damaged(seed.headers()) : seed.headers());
  }

  private Map<String, byte[]> damaged(Map<String, byte[]> headers) {
    Map<String, byte[]> damaged = new HashMap<>();
    headers.forEach(
        (name, value) -> damaged.put(name, random.nextInt(3) == 0 ? damaged(value) : value));
    return damaged;
  }

  private byte[] damaged(byte[] bytes) {
    byte[] result = bytes == null ? new byte[0] : bytes.clone();
    for (int n = random.nextInt(3); n >= 0 && result.length > 0; n--) {
      int at = at(result);
      result =
          switch (random.nextInt(13)) {
            case 0 -> Arrays.copyOf(result, at);
            case 1 -> splice(result, at, Math.min(result.length, at + 1 + random.nextInt(30)), "");
            case 2 -> splice(result, at, at, TOKENS[random.nextInt(TOKENS.length)]);
            case 3 -> splice(result, at, at + 1, TOKENS[random.nextInt(TOKENS.length)]);
            case 4 -> {
              int end = Math.min(result.length, at + random.nextInt(60));
              yield splice(
                  result, at, at, new String(result, at, end - at, StandardCharsets.ISO_8859_1));
            }
            case 5 -> {
              int end = Math.min(result.length, at + random.nextInt(30));
              String piece = new String(result, at, end - at, StandardCharsets.ISO_8859_1);
              yield splice(result, at, at, piece.repeat(1 + random.nextInt(200)));
            }
            case 6 -> {
              result[at] = (byte) random.nextInt(256);
              yield result;
            }
            default -> {
              // What mostly leaves the text well formed, and so comes further.
              result[at] = (byte) LETTERS.charAt(random.nextInt(LETTERS.length()));
              yield result;
            }
          };
    }
    return result;
  }

  /** Half of the time near the end, where the payload is if there is a schema. */
  private int at(byte[] bytes) {
    int window = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 2500);
    return bytes.length - 1 - random.nextInt(window);
  }

  private static byte[] splice(byte[] bytes, int from, int to, String text) {
    byte[] inserted = text.getBytes(StandardCharsets.ISO_8859_1);
    byte[] result = new byte[from + inserted.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(inserted, 0, result, from, inserted.length);
    System.arraycopy(bytes, to, result, from + inserted.length, bytes.length - to);
    return result;
  }
}
