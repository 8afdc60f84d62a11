package io.tidemark.debezium.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Confluent's API: {@code /schemas/ids} and {@code /subjects}. */
final class ConfluentRegistry implements SchemaRegistry {
  private final RegistryHttp http;

  ConfluentRegistry(RegistryHttp http) {
    this.http = http;
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws Problem {
    if (id.kind() != SchemaId.Kind.SCHEMA) {
      throw new Problem(
          "an Apicurio header names the schema, which only Apicurio's own API knows: set"
              + " apicurio.registry.url in place of schema.registry.url");
    }
    JsonNode found = get("/schemas/ids/" + id.number());
    List<String> references = new ArrayList<>();
    collect(found, references, new SeenReferences());
    return new RegisteredSchema(found.path("schema").asText(""), references);
  }

  /** Adds what a schema refers to, deepest first, each once. */
  private void collect(JsonNode schema, List<String> texts, SeenReferences seen) throws Problem {
    String type = schema.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      throw new Problem("expected an Avro schema, found one of type " + JsonInput.quoted(type));
    }
    for (JsonNode reference : schema.path("references")) {
      String path =
          "/subjects/"
              + segment(reference.path("subject").asText(""))
              + "/versions/"
              + reference.path("version").asInt();
      if (seen.add(path)) {
        JsonNode referred = get(path + "?deleted=true");
        collect(referred, texts, seen);
        texts.add(referred.path("schema").asText(""));
      }
    }
  }

  private JsonNode get(String path) throws Problem {
    RegistryHttp.Answer answer = http.get(path);
    if (answer.isNotFound()) {
      throw new Problem(
          "the schema registry "
              + answer.url()
              + " has no such schema. Is it the one that the connector's converter uses?");
    }
    if (!answer.isOk()) {
      throw answer.refused();
    }
    return answer.json();
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
