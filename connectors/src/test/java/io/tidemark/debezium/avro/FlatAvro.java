package io.tidemark.debezium.avro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.debezium.RawRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Writes recorded rows, flattened and in JSON, as Avro: in the schema that the converter made of
 * the same table's rows, and with Avro's own encoder.
 */
public final class FlatAvro {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private final Map<Long, String> schemas;
  private final Schema key;
  private final Schema value;

  /**
   * Makes one.
   *
   * @param enveloped by id the schemas of the same table's envelopes: 1 of keys, 2 of values
   * @param row a flattened row, for the fields that the transform added
   */
  public FlatAvro(Map<Long, String> enveloped, RawRecord row) {
    try {
      ObjectNode flat = (ObjectNode) JSON.readTree(enveloped.get(2L)).at("/fields/0/type/1");
      for (var added : JSON.readTree(row.value()).properties()) {
        if (added.getKey().startsWith("__")) {
          ArrayNode type = JSON.createArrayNode().add("null");
          type.add(added.getValue().isNumber() ? "long" : "string");
          ((ArrayNode) flat.get("fields"))
              .addObject()
              .put("name", added.getKey())
              .set("type", type);
        }
      }
      schemas = Map.of(1L, enveloped.get(1L), 2L, flat.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    key = new Schema.Parser().parse(schemas.get(1L));
    value = new Schema.Parser().parse(schemas.get(2L));
  }

  /** The format that reads what is written here. */
  public InMemoryAvro format() {
    return new InMemoryAvro(schemas);
  }

  /** The same record in Avro. */
  public RawRecord write(RawRecord json) {
    return new RawRecord(
        json.at(),
        json.timestampMillis(),
        bytes(json.key(), key, KEY),
        bytes(json.value(), value, VALUE),
        json.headers());
  }

  private static byte @Nullable [] bytes(byte @Nullable [] json, Schema schema, int id) {
    if (json == null) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, (byte) id});
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    try {
      new GenericDatumWriter<Object>(schema).write(generic(schema, JSON.readTree(json)), encoder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static @Nullable Object generic(Schema schema, JsonNode json) {
    return switch (schema.getType()) {
      case UNION ->
          json.isNull() || json.isMissingNode()
              ? null
              : generic(
                  schema.getTypes().stream().filter(t -> !t.isNullable()).findFirst().orElseThrow(),
                  json);
      case RECORD -> {
        GenericData.Record made = new GenericData.Record(schema);
        schema
            .getFields()
            .forEach(f -> made.put(f.pos(), generic(f.schema(), json.path(f.name()))));
        yield made;
      }
      case BYTES -> ByteBuffer.wrap(Base64.getDecoder().decode(json.asText()));
      case INT -> json.intValue();
      case LONG -> json.longValue();
      case STRING -> json.asText();
      default -> throw new IllegalArgumentException("No such type here: " + schema);
    };
  }
}
