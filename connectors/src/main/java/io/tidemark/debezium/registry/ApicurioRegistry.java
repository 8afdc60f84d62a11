package io.tidemark.debezium.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.json.Problem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Apicurio's own API, {@code /ids} and {@code /groups}, of its versions 2 and 3. */
final class ApicurioRegistry implements SchemaRegistry {
  private final RegistryHttp http;
  private final String content;

  ApicurioRegistry(RegistryHttp http, RegistrySettings.Api api) {
    this.http = http;
    this.content = api == RegistrySettings.Api.APICURIO_V3 ? "/content" : "";
  }

  @Override
  public RegisteredSchema schema(SchemaId id) throws Problem {
    String path =
        switch (id.kind()) {
          case GLOBAL -> "/ids/globalIds/" + id.number();
          case CONTENT -> "/ids/contentIds/" + id.number();
          case SCHEMA -> throw new AssertionError("Apicurio has no " + id);
        };
    String text = get(path).body();
    List<String> references = new ArrayList<>();
    collect(path, references, new SeenReferences());
    return new RegisteredSchema(text, references);
  }

  /** Adds what a schema refers to, deepest first, each once. */
  private void collect(String path, List<String> texts, SeenReferences seen) throws Problem {
    for (JsonNode reference : get(path + "/references").json()) {
      String referred =
          "/groups/"
              + segment(reference.path("groupId").asText("default"))
              + "/artifacts/"
              + segment(reference.path("artifactId").asText(""))
              + "/versions/"
              + segment(reference.path("version").asText(""));
      if (seen.add(referred)) {
        collect(referred, texts, seen);
        texts.add(get(referred + content).body());
      }
    }
  }

  private RegistryHttp.Answer get(String path) throws Problem {
    RegistryHttp.Answer answer = http.get(path);
    if (answer.isNotFound()) {
      throw new Problem(
          "the schema registry "
              + answer.url()
              + " has no such schema. Is it the one that the connector's converter uses, and are"
              + " apicurio.registry.use-id and apicurio.registry.id-handler the converter's?");
    }
    if (!answer.isOk()) {
      throw answer.refused();
    }
    return answer;
  }

  private static String segment(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
