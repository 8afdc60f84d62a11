package io.tidemark.debezium.avro;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.format.Message;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.registry.SchemaId;
import io.tidemark.debezium.registry.SchemaIds;
import io.tidemark.debezium.registry.SchemaRegistry;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the keys or the values of records that a registry's serializer wrote. */
final class AvroMessageReader implements MessageReader {
  private static final int CAPACITY = 256;

  private final SchemaIds ids;
  private final String part;
  private final SchemaRegistry registry;

  /** An id never changes its meaning, so that what was learned stays true. */
  private final Map<SchemaId, AvroSchema> schemas =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SchemaId, AvroSchema> eldest) {
          return size() > CAPACITY;
        }
      };

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
      schemas.put(found.id(), schema);
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
