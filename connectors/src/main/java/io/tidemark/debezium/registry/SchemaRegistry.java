package io.tidemark.debezium.registry;

import io.tidemark.debezium.json.Problem;

/** Where the schemas of messages are kept. Implementations need not be thread-safe. */
@FunctionalInterface
public interface SchemaRegistry {

  /**
   * The schema of an id; every call asks again, but for what was refused a moment ago.
   *
   * @throws Problem if the registry answers that it has none, or one that is not Avro
   * @throws RegistryUnavailableException if it does not answer, or not with schemas
   */
  RegisteredSchema schema(SchemaId id) throws Problem;
}
