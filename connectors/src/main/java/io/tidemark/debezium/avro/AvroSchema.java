package io.tidemark.debezium.avro;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.format.ConnectSchema;

/** A writer's schema, compiled: how to read its bytes, and what they mean. Immutable. */
final class AvroSchema implements ConnectSchema {
  private final AvroType type;
  private final JsonNode tree;
  private final long length;

  AvroSchema(AvroType type, JsonNode tree, long length) {
    this.type = type;
    this.tree = tree;
    this.length = length;
  }

  AvroType type() {
    return type;
  }

  @Override
  public JsonNode tree() {
    return tree;
  }

  @Override
  public long length() {
    return length;
  }
}
