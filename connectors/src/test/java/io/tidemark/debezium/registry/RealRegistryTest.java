package io.tidemark.debezium.registry;

import static io.tidemark.corpus.RegistryServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.debezium.json.Problem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Against Apicurio's own registry, of version 2 or 3, started by hand: {@code
 * -Dtidemark.apicurio=http://localhost:8080}. Its distribution is a tenth of the build's downloads,
 * and version 3 needs a newer Java than the build.
 */
@EnabledIfSystemProperty(
    named = "tidemark.apicurio",
    matches = "http.*",
    disabledReason = "needs a registry: -Dtidemark.apicurio=URL")
class RealRegistryTest {
  private static final String LEAF =
      "{\"type\":\"record\",\"name\":\"n.Leaf\",\"fields\":[{\"name\":\"x\",\"type\":\"int\"}]}";
  private static final String TOP =
      "{\"type\":\"record\",\"name\":\"n.Top\",\"fields\":[{\"name\":\"l\",\"type\":\"n.Leaf\"}]}";

  private final String url = System.getProperty("tidemark.apicurio");
  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void confluentsApi() throws Exception {
    String root = url + "/apis/ccompat/v7";
    post(root + "/subjects/s%20a%2Fb/versions", Map.of("schema", LEAF), Map.of());
    JsonNode top =
        post(
            root + "/subjects/top-value/versions",
            Map.of(
                "schema",
                TOP,
                "references",
                List.of(Map.of("name", "n.Leaf", "subject", "s a/b", "version", 1))),
            Map.of());

    SchemaRegistry registry = registry("schema.registry.url", root);
    same(registry.schema(new SchemaId(SchemaId.Kind.SCHEMA, top.path("id").asLong())));
    isUnknown(registry, SchemaId.Kind.SCHEMA);
    isNoRoot(registry("schema.registry.url", url), SchemaId.Kind.SCHEMA);
  }

  @Test
  void apicuriosApi() throws Exception {
    boolean three = get("/apis/registry/v3/system/info").statusCode() == 200;
    String root = url + "/apis/registry/" + (three ? "v3" : "v2");
    String artifacts = root + "/groups/g%20h/artifacts";
    artifact(three, artifacts, "leaf a/b", LEAF, List.of());
    JsonNode top =
        artifact(
            three,
            artifacts,
            "top",
            TOP,
            List.of(
                Map.of(
                    "groupId", "g h", "artifactId", "leaf a/b", "version", "1", "name", "n.Leaf")));

    SchemaRegistry registry = registry("apicurio.registry.url", root);
    same(registry.schema(new SchemaId(SchemaId.Kind.GLOBAL, top.path("globalId").asLong())));
    same(registry.schema(new SchemaId(SchemaId.Kind.CONTENT, top.path("contentId").asLong())));
    isUnknown(registry, SchemaId.Kind.GLOBAL);
    isUnknown(registry, SchemaId.Kind.CONTENT);
    isNoRoot(
        registry("apicurio.registry.url", url + "/elsewhere/apis/registry/v3"),
        SchemaId.Kind.GLOBAL);
  }

  /** Where each version of the API takes the same thing. */
  private JsonNode artifact(
      boolean three, String artifacts, String id, String schema, List<Map<String, String>> refers)
      throws Exception {
    if (three) {
      Object content =
          Map.of("content", schema, "contentType", "application/json", "references", refers);
      return post(
              artifacts + "?ifExists=FIND_OR_CREATE_VERSION",
              Map.of(
                  "artifactId",
                  id,
                  "artifactType",
                  "AVRO",
                  "firstVersion",
                  Map.of("content", content)),
              Map.of())
          .path("version");
    }
    return post(
        artifacts + "?ifExists=RETURN_OR_UPDATE",
        Map.of("content", schema, "references", refers),
        Map.of(
            "Content-Type", "application/create.extended+json",
            "X-Registry-ArtifactType", "AVRO",
            "X-Registry-ArtifactId", id));
  }

  private static void same(RegisteredSchema found) throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    assertThat(mapper.readTree(found.text())).isEqualTo(mapper.readTree(TOP));
    // The registry may write the name and its namespace apart.
    assertThat(found.references()).singleElement().asString().contains("Leaf");
  }

  private static void isUnknown(SchemaRegistry registry, SchemaId.Kind kind) {
    assertThatThrownBy(() -> registry.schema(new SchemaId(kind, 999_999)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("has no such schema");
  }

  private static void isNoRoot(SchemaRegistry registry, SchemaId.Kind kind) {
    assertThatThrownBy(() -> registry.schema(new SchemaId(kind, 1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageEndingWith("answered 404: is the URL the API's root?");
  }

  private static SchemaRegistry registry(String name, String root) {
    return Objects.requireNonNull(
            RegistryProperties.read(
                Map.of(name, root),
                (property, problem) -> {
                  throw new AssertionError(property + " " + problem);
                }))
        .open();
  }

  private JsonNode post(String to, Object body, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(to))
            .setHeader("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json(body)));
    headers.forEach(request::setHeader);
    HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofString());
  }
}
