package io.tidemark.debezium.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, message by message, whether a text is {@code {"schema": …, "payload": …}}, as Kafka
 * Connect's JSON converter writes it with {@code schemas.enable=true}, or the payload alone.
 *
 * <p>A schema is many times as long as its payload and hardly ever changes. So the bytes in front
 * of the last payload are kept: a message that starts with the same bytes has the same schema, and
 * its payload starts behind them. Not thread-safe.
 */
public final class FrameReader {
  /**
   * How long a schema may be, in bytes. It is kept, and read as a whole, which takes many times its
   * length; that of a table of a thousand columns has less than a tenth.
   */
  public static final int MAX_SCHEMA = 4 * 1024 * 1024;

  private static final byte[] SCHEMA = "\"schema\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PAYLOAD = "\"payload\"".getBytes(StandardCharsets.US_ASCII);

  private byte @Nullable [] prefix;
  private byte @Nullable [] prefixSchema;

  /**
   * Finds payload and schema.
   *
   * @throws Problem if a framed text ends early, or goes on after its end, or its schema is longer
   *     than any table's
   */
  public Frame read(byte[] message) throws Problem, IOException {
    byte[] known = prefix;
    if (known != null
        && message.length > known.length
        && Arrays.equals(message, 0, known.length, known, 0, known.length)) {
      return new Frame(prefixSchema, known.length, closingBrace(message));
    }
    if (!startsLikeFrame(message)) {
      return new Frame(null, 0, message.length);
    }
    try (JsonParser in = JsonInput.open(message, 0, message.length)) {
      in.nextToken();
      in.nextToken();
      return framed(message, in);
    }
  }

  /** The parser stands at the first of the two names. */
  private Frame framed(byte[] message, JsonParser in) throws Problem, IOException {
    byte[] schema = null;
    boolean schemaFits = false;
    int from = -1;
    int to = -1;
    int fields = 0;
    boolean payloadLast = false;
    for (String name = in.currentName(); name != null; name = in.nextFieldName()) {
      JsonToken token = in.nextToken();
      int start = Math.toIntExact(in.currentTokenLocation().getByteOffset());
      in.skipChildren();
      in.finishToken();
      int end = Math.toIntExact(in.currentLocation().getByteOffset());
      fields++;
      payloadLast = name.equals("payload");
      if (name.equals("schema")) {
        schemaFits = token == JsonToken.START_OBJECT || token == JsonToken.VALUE_NULL;
        schema = token == JsonToken.START_OBJECT ? Arrays.copyOfRange(message, start, end) : null;
      } else if (payloadLast) {
        from = start;
        to = end;
      }
    }
    if (fields != 2 || !schemaFits || from < 0) {
      return new Frame(null, 0, message.length); // columns that happen to have these names
    }
    JsonInput.expectEnd(in);
    if (schema != null && schema.length > MAX_SCHEMA) {
      throw new Problem(
          "schema: expected at most " + MAX_SCHEMA + " bytes, found " + schema.length);
    }
    if (payloadLast) {
      if (schema != null && prefixSchema != null && Arrays.equals(schema, prefixSchema)) {
        schema = prefixSchema;
      }
      prefix = Arrays.copyOf(message, from);
      prefixSchema = schema;
    }
    return new Frame(schema, from, to);
  }

  /**
   * Whether the first field has one of a frame's two names; told from the bytes, without a parser.
   */
  private static boolean startsLikeFrame(byte[] message) {
    int brace = skipSpace(message, 0);
    if (brace == message.length || message[brace] != '{') {
      return false;
    }
    int name = skipSpace(message, brace + 1);
    return startsWith(message, name, SCHEMA) || startsWith(message, name, PAYLOAD);
  }

  private static int skipSpace(byte[] message, int at) {
    while (at < message.length && isSpace(message[at])) {
      at++;
    }
    return at;
  }

  private static boolean startsWith(byte[] message, int at, byte[] wanted) {
    return message.length - at >= wanted.length
        && Arrays.equals(message, at, at + wanted.length, wanted, 0, wanted.length);
  }

  /** Index of the last byte that is no white space, which must close the frame. */
  private static int closingBrace(byte[] message) throws Problem {
    int last = message.length - 1;
    while (last > 0 && isSpace(message[last])) {
      last--;
    }
    if (message[last] != '}') {
      throw new Problem("JSON that ends early, or goes on after its end");
    }
    return last;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
