package io.tidemark.debezium.registry;

import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a message says which schema it was written with: Apicurio's headers if it has them, else a
 * zero byte and the id in front of the payload.
 *
 * @param bytes how many bytes an id in front of the payload has: 4, or 8 with Apicurio's handlers
 *     of that name
 * @param kind what an id in front of the payload counts
 */
public record SchemaIds(int bytes, SchemaId.Kind kind) implements Serializable {
  private static final byte MAGIC = 0;

  public SchemaIds {
    if (bytes != Integer.BYTES && bytes != Long.BYTES) {
      throw new IllegalArgumentException("An id has 4 or 8 bytes, got " + bytes);
    }
  }

  /**
   * An id that was found.
   *
   * @param payloadFrom index of the payload's first byte
   */
  public record Found(SchemaId id, int payloadFrom) {}

  /**
   * Finds the id.
   *
   * @param part {@code key} or {@code value}
   * @throws Problem if there is none, or the payload is not Avro's binary form
   */
  public Found find(byte[] message, Map<String, byte[]> headers, String part) throws Problem {
    Found inHeader = headers.isEmpty() ? null : inHeader(headers, part);
    if (inHeader != null) {
      return inHeader;
    }
    if (message.length == 0 || message[0] != MAGIC) {
      throw new Problem(
          "expected Avro with a zero byte and a schema id in front, found "
              + (looksLikeJson(message)
                  ? "what looks like JSON: set kafka.format to debezium-json or debezium-json-flat"
                  : "no zero byte"));
    }
    if (message.length <= bytes) {
      throw new Problem(
          "expected Avro with a zero byte and a schema id of "
              + bytes
              + " bytes, found no more than "
              + message.length
              + " bytes");
    }
    ByteBuffer id = ByteBuffer.wrap(message, 1, bytes);
    // Confluent's ids are 32-bit and positive; Apicurio's are 64-bit.
    long number = bytes == Integer.BYTES ? id.getInt() & 0xffff_ffffL : id.getLong();
    return new Found(new SchemaId(kind, number), 1 + bytes);
  }

  private static @Nullable Found inHeader(Map<String, byte[]> headers, String part) throws Problem {
    String prefix = "apicurio." + part + ".";
    byte[] encoding = headers.get(prefix + "encoding");
    if (encoding != null && !new String(encoding, StandardCharsets.UTF_8).equals("BINARY")) {
      throw new Problem(
          "header "
              + prefix
              + "encoding: expected BINARY, found another. Set the converter's"
              + " apicurio.registry.avro.encoding=BINARY");
    }
    byte[] content = headers.get(prefix + "contentId");
    if (content != null) {
      return new Found(id(SchemaId.Kind.CONTENT, prefix + "contentId", content), 0);
    }
    byte[] global = headers.get(prefix + "globalId");
    if (global != null) {
      return new Found(id(SchemaId.Kind.GLOBAL, prefix + "globalId", global), 0);
    }
    if (headers.containsKey("__" + part + "_schema_id")) {
      throw new Problem(
          "header __"
              + part
              + "_schema_id: schema ids in Confluent's headers are not supported. Leave the"
              + " converter's serializer of schema ids at its default, which puts them in front of"
              + " the payload");
    }
    return null;
  }

  private static SchemaId id(SchemaId.Kind kind, String header, byte[] value) throws Problem {
    if (value.length != Long.BYTES) {
      throw new Problem("header " + header + ": expected 8 bytes, found " + value.length);
    }
    return new SchemaId(kind, ByteBuffer.wrap(value).getLong());
  }

  private static boolean looksLikeJson(byte[] message) {
    return message.length > 0 && JsonInput.startsLikeJson(message[0]);
  }
}
