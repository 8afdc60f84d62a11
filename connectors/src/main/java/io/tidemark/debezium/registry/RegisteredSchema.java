package io.tidemark.debezium.registry;

import java.util.List;

/**
 * A schema as a registry keeps it.
 *
 * @param text the schema itself
 * @param references the texts of the schemas that it refers to by name, each behind those that it
 *     refers to itself
 */
public record RegisteredSchema(String text, List<String> references) {
  public RegisteredSchema {
    references = List.copyOf(references);
  }

  /** Characters of all texts. */
  public long length() {
    return text.length() + references.stream().mapToLong(String::length).sum();
  }
}
