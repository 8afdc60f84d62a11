package io.tidemark.corpus;

import io.tidemark.debezium.avro.AvroFormat;
import io.tidemark.debezium.registry.RegistryProperties;
import java.util.Map;
import java.util.Objects;

/** Formats whose schemas a registry on this machine has; it runs as long as the process. */
public final class Registries {
  private Registries() {}

  /** Avro as Confluent's serializer writes it, with these schemas by id. */
  public static AvroFormat avro(Map<Long, String> schemas) {
    RegistryServer server = new RegistryServer();
    schemas.forEach(server::put);
    return new AvroFormat(
        Objects.requireNonNull(
            RegistryProperties.read(
                Map.of("schema.registry.url", server.url()),
                (name, problem) -> {
                  throw new AssertionError(name + " " + problem);
                })));
  }
}
