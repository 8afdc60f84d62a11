package io.tidemark.debezium.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.registry.RegistrySettings.Api;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RegistryPropertiesTest {
  private static final String V2 = "http://r/apis/registry/v2";
  private static final String V3 = "https://r:1/apis/registry/v3/";

  private final List<String> problems = new ArrayList<>();

  @Test
  void confluentsNames() {
    assertThat(read(Map.of("schema.registry.url", "http://a:1/, https://b/x")))
        .isEqualTo(
            new RegistrySettings(
                Api.CONFLUENT,
                List.of(URI.create("http://a:1"), URI.create("https://b/x")),
                new SchemaIds(4, SchemaId.Kind.SCHEMA),
                null));
    assertThat(
            read(Map.of(
                    "schema.registry.url", "http://a",
                    "basic.auth.credentials.source", "USER_INFO",
                    "basic.auth.user.info", "u:p"))
                .authorization())
        .isEqualTo("Basic dTpw");
    assertThat(read(Map.of("schema.registry.url", "http://u:p@a")).toString())
        .isEqualTo(
            "RegistrySettings[api=CONFLUENT, urls=[http://a], ids=SchemaIds[bytes=4, kind=SCHEMA],"
                + " authorization=******]");
    assertThat(
            read(Map.of(
                    "schema.registry.url", "http://a",
                    "bearer.auth.credentials.source", "STATIC_TOKEN",
                    "bearer.auth.token", "t"))
                .authorization())
        .isEqualTo("Bearer t");
    assertThat(problems).isEmpty();
  }

  @Test
  void apicuriosNamesWithTheDefaultsOfItsVersions() {
    assertThat(ids(Map.of("apicurio.registry.url", V2)))
        .isEqualTo(new SchemaIds(8, SchemaId.Kind.GLOBAL));
    assertThat(ids(Map.of("apicurio.registry.url", V3)))
        .isEqualTo(new SchemaIds(4, SchemaId.Kind.CONTENT));
    assertThat(
            ids(
                Map.of(
                    "apicurio.registry.url", V2,
                    "apicurio.registry.as-confluent", "true",
                    "apicurio.registry.headers.enabled", "true",
                    "apicurio.registry.use-id", "contentId")))
        .isEqualTo(new SchemaIds(4, SchemaId.Kind.CONTENT));
    assertThat(
            ids(
                Map.of(
                    "apicurio.registry.url", V3,
                    "apicurio.registry.id-handler",
                        "io.apicurio.registry.serde.Legacy8ByteIdHandler",
                    "apicurio.registry.auth.username", "u",
                    "apicurio.registry.auth.password", "p")))
        .isEqualTo(new SchemaIds(8, SchemaId.Kind.CONTENT));
    assertThat(
            read(Map.of(
                    "apicurio.registry.url", V3,
                    "apicurio.auth.username", "u",
                    "apicurio.auth.password", "p"))
                .authorization())
        .isEqualTo("Basic dTpw");
    assertThat(problems).isEmpty();
  }

  @Test
  void whatIsWrongIsNamedWithoutSecrets() {
    assertThat(read(Map.of())).isNull();
    assertThat(read(Map.of("schema.registry.url", "http://a", "apicurio.registry.url", V2)))
        .isNull();
    assertThat(read(Map.of("apicurio.registry.url", "http://a/apis/ccompat/v7"))).isNull();
    assertThat(
            read(
                Map.of(
                    "schema.registry.url", "http://a:b:c",
                    "basic.auth.user.info", "geheim",
                    "bearer.auth.token", "geheim")))
        .isNull();
    assertThat(
            read(
                Map.of(
                    "apicurio.registry.url", V3,
                    "apicurio.auth.username", "geheim",
                    "apicurio.registry.id-handler", "geheim",
                    "apicurio.registry.use-id", "geheim")))
        .isNull();

    assertThat(problems)
        .containsExactlyInAnyOrder(
            "schema.registry.url: expected either schema.registry.url or apicurio.registry.url, found"
                + " neither",
            "schema.registry.url: expected either schema.registry.url or apicurio.registry.url, found"
                + " both",
            "apicurio.registry.url: expected a URL that ends with /apis/registry/v2 or"
                + " /apis/registry/v3, found another. For the API under /apis/ccompat set"
                + " schema.registry.url",
            "schema.registry.url: expected http:// or https:// URLs, separated by commas, found"
                + " another text",
            "basic.auth.user.info: expected user:password, found a text without a colon between two"
                + " parts",
            "bearer.auth.token: expected one pair of credentials, found two",
            "apicurio.auth.password: is missing beside the other of the two",
            "apicurio.registry.id-handler: expected a class named Default4ByteIdHandler,"
                + " Legacy4ByteIdHandler, DefaultIdHandler, Default8ByteIdHandler or"
                + " Legacy8ByteIdHandler, found another",
            "apicurio.registry.use-id: expected globalId or contentId, found another text");
  }

  private SchemaIds ids(Map<String, String> properties) {
    return read(properties).ids();
  }

  private @Nullable RegistrySettings read(Map<String, String> properties) {
    return RegistryProperties.read(properties, (name, text) -> problems.add(name + ": " + text));
  }
}
