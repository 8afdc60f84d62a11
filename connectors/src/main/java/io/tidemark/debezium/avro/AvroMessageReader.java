package io.tidemark.debezium.avro;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.format.LastUsed;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.registry.SchemaId;
import io.tidemark.debezium.registry.SchemaIds;
import io.tidemark.debezium.registry.SchemaRegistry;
import java.util.Map;

/** Reads the keys or the values of records that a registry's serializer wrote. */
final class AvroMessageReader implements MessageReader {
  /** A schema that was read takes many times its text, which has some hundreds for a column. */
  private static final long MAX_CHARS = 8 * 1024 * 1024;

  private static final int MAX_COUNT = 256;

  private final SchemaIds ids;
  private final String part;
  private final SchemaRegistry registry;

  /** An id never changes its meaning, so that what was learned stays true. */
  private final LastUsed<SchemaId, AvroSchema> schemas = new LastUsed<>(MAX_COUNT, MAX_CHARS);

  /**
   * Makes one.
   *
   * @param part {@code key} or {@code value}, as headers name it
   */
  AvroMessageReader(SchemaIds ids, String part, SchemaRegistry registry) {
    this.ids = ids;
    this.part = part;
    this.registry = registry;
  }

  @Override
  public Message read(byte[] bytes, Map<String, byte[]> headers) throws Problem {
    SchemaIds.Found found = ids.find(bytes, headers, part);
    AvroSchema schema = schemas.get(found.id());
    if (schema == null) {
      try {
        schema = AvroCompiler.compile(registry.schema(found.id()));
      } catch (Problem problem) {
        throw problem.in(found.id().toString());
      }
      schemas.put(found.id(), schema, schema.length());
    }
    return new AvroMessage(schema, bytes, found.payloadFrom());
  }

  @SuppressWarnings("ArrayRecordComponent") // a view of the record, never compared
  private record AvroMessage(AvroSchema schema, byte[] bytes, int from) implements Message {

    @Override
    public JsonParser open() {
      return new AvroParser(schema.type(), bytes, from);
    }
  }
}
