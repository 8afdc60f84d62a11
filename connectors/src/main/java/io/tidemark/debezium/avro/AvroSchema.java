package io.tidemark.debezium.avro;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.format.ConnectSchema;

/** A writer's schema, compiled: how to read its bytes, and what they mean. Immutable. */
final class AvroSchema implements ConnectSchema {
  private final AvroType type;
  private final JsonNode tree;

  AvroSchema(AvroType type, JsonNode tree) {
    this.type = type;
    this.tree = tree;
  }

  AvroType type() {
    return type;
  }

  @Override
  public JsonNode tree() {
    return tree;
  }
}
