package io.tidemark.debezium.avro;

import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.registry.RegisteredSchema;
import io.tidemark.debezium.registry.SchemaId;
import io.tidemark.debezium.registry.SchemaIds;
import io.tidemark.debezium.registry.SchemaRegistry;
import java.util.List;
import java.util.Map;

/** Avro as Confluent's serializer writes it, with a registry that needs no network. */
public final class InMemoryAvro implements MessageFormat {
  private static final long serialVersionUID = 1L;

  private final Map<Long, String> schemas;

  /** One with these schemas by id. */
  public InMemoryAvro(Map<Long, String> schemas) {
    this.schemas = Map.copyOf(schemas);
  }

  @Override
  public MessageReader keys() {
    return reader("key");
  }

  @Override
  public MessageReader values() {
    return reader("value");
  }

  private MessageReader reader(String part) {
    SchemaRegistry registry =
        id -> {
          String schema = schemas.get(id.number());
          if (schema == null) {
            throw new Problem("no such schema");
          }
          return new RegisteredSchema(schema, List.of());
        };
    return new AvroMessageReader(new SchemaIds(4, SchemaId.Kind.SCHEMA), part, registry);
  }
}
