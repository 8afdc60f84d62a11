package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Avro messages, read by Avro's own generic reader and put into the form that Connect's JSON
 * converter has for them.
 *
 * @param idBytes how many bytes an id in front of the payload has
 * @param idKind what such an id counts, as {@link Schemas#texts} takes it
 */
public record AvroLog(Schemas registry, int idBytes, String idKind, Map<String, Schema> known) {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  /** A reader that has asked for no schema yet. */
  public AvroLog(Schemas registry, int idBytes, String idKind) {
    this(registry, idBytes, idKind, new HashMap<>());
  }

  /**
   * Reads a key or a value.
   *
   * @param part {@code key} or {@code value}
   */
  Envelope read(RawEvent event, byte[] bytes, String part) {
    String kind = idKind;
    byte @Nullable [] header = null;
    for (String name : new String[] {"globalId", "contentId"}) {
      String value = event.headers().get("apicurio." + part + "." + name);
      if (value != null) {
        kind = name;
        header = value.getBytes(StandardCharsets.ISO_8859_1);
      }
    }
    ByteBuffer message = ByteBuffer.wrap(bytes);
    long id;
    if (header != null) {
      id = ByteBuffer.wrap(header).getLong();
    } else if (bytes.length > idBytes && message.get() == 0) {
      id = idBytes == Long.BYTES ? message.getLong() : Integer.toUnsignedLong(message.getInt());
    } else {
      throw new IllegalArgumentException(event.place() + " has no schema id in its " + part);
    }
    Schema schema = schema(kind, id);
    Object datum = datum(event, schema, bytes, message.position());
    return new Envelope(described(schema), value(schema, datum));
  }

  private Schema schema(String kind, long id) {
    String name = kind + id;
    Schema schema = known.get(name);
    if (schema == null) {
      Schema.Parser parser = new Schema.Parser(NameValidator.NO_VALIDATION);
      parser.setValidateDefaults(false);
      for (String text : registry.texts(kind, id)) {
        schema = parser.parse(text);
      }
      if (schema == null) {
        throw new IllegalArgumentException("No schema has the id " + name);
      }
      known.put(name, schema);
    }
    return schema;
  }

  private static Object datum(RawEvent event, Schema schema, byte[] bytes, int from) {
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, from, bytes.length - from, null);
    try {
      // Data of its own: conversions that somebody registers for all would change the values.
      Object datum =
          new GenericDatumReader<>(schema, schema, new GenericData()).read(null, decoder);
      if (!decoder.isEnd()) {
        throw new IllegalArgumentException(event.place() + " goes on after its Avro");
      }
      return datum;
    } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException(event.place() + " is not Avro of its schema", e);
    }
  }

  private static JsonNode value(Schema schema, @Nullable Object datum) {
    return datum == null ? NODES.nullNode() : present(schema, datum);
  }

  private static JsonNode present(Schema schema, Object datum) {
    return switch (schema.getType()) {
      case NULL -> NODES.nullNode();
      case UNION ->
          value(schema.getTypes().get(GenericData.get().resolveUnion(schema, datum)), datum);
      case RECORD -> {
        ObjectNode node = NODES.objectNode();
        for (Schema.Field field : schema.getFields()) {
          node.set(field.name(), value(field.schema(), ((IndexedRecord) datum).get(field.pos())));
        }
        yield node;
      }
      case ARRAY -> {
        var node = NODES.arrayNode();
        ((Collection<?>) datum).forEach(e -> node.add(value(schema.getElementType(), e)));
        yield node;
      }
      case MAP -> {
        ObjectNode node = NODES.objectNode();
        ((Map<?, ?>) datum)
            .forEach((k, v) -> node.set(k.toString(), value(schema.getValueType(), v)));
        yield node;
      }
      case BYTES -> {
        ByteBuffer buffer = ((ByteBuffer) datum).duplicate();
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(copy);
        yield NODES.binaryNode(copy);
      }
      case FIXED -> NODES.binaryNode(((GenericFixed) datum).bytes());
      case STRING, ENUM -> NODES.textNode(datum.toString());
      case INT -> NODES.numberNode((Integer) datum);
      case LONG -> NODES.numberNode((Long) datum);
      case FLOAT -> NODES.numberNode((Float) datum);
      case DOUBLE -> NODES.numberNode((Double) datum);
      case BOOLEAN -> NODES.booleanNode((Boolean) datum);
    };
  }

  /** What Connect's schema was, as far as the converter wrote it into Avro's. */
  private static ObjectNode described(Schema schema) {
    if (schema.getType() == Schema.Type.UNION) {
      for (Schema branch : schema.getTypes()) {
        if (branch.getType() != Schema.Type.NULL) {
          return described(branch).put("optional", true);
        }
      }
    }
    ObjectNode node = NODES.objectNode();
    String narrow = schema.getProp("connect.type");
    node.put("type", narrow == null ? type(schema.getType()) : narrow);
    switch (schema.getType()) {
      case RECORD -> {
        var fields = node.putArray("fields");
        schema.getFields().forEach(f -> fields.add(described(f.schema()).put("field", f.name())));
      }
      case ARRAY -> node.set("items", described(schema.getElementType()));
      case MAP -> node.set("values", described(schema.getValueType()));
      default -> {}
    }
    if (schema.getProp("connect.name") != null) {
      node.put("name", schema.getProp("connect.name"));
    }
    if (schema.getObjectProp("connect.parameters") instanceof Map<?, ?> parameters) {
      ObjectNode texts = node.putObject("parameters");
      parameters.forEach((k, v) -> texts.put(k.toString(), v.toString()));
    }
    return node;
  }

  private static String type(Schema.Type type) {
    return switch (type) {
      case RECORD -> "struct";
      case INT -> "int32";
      case LONG -> "int64";
      case FIXED -> "bytes";
      case ENUM -> "string";
      default -> type.getName();
    };
  }
}
