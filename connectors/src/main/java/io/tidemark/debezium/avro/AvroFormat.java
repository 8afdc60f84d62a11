package io.tidemark.debezium.avro;

import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.registry.RegistrySettings;

/**
 * Avro with the id of its schema in front, or in a header.
 *
 * @param registry that gives the schemas
 */
public record AvroFormat(RegistrySettings registry) implements MessageFormat {

  @Override
  public MessageReader keys() {
    return new AvroMessageReader(registry.ids(), "key", registry.open());
  }

  @Override
  public MessageReader values() {
    return new AvroMessageReader(registry.ids(), "value", registry.open());
  }
}
