package io.tidemark.debezium.registry;

import static io.tidemark.corpus.RegistryServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.SourceOffset;
import io.tidemark.corpus.RegistryServer;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.ChangeDecoder;
import io.tidemark.debezium.DecoderSettings;
import io.tidemark.debezium.RawRecord;
import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.RowShape;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a real HTTP server, which answers as the registries do. */
class RegistryTest {
  private static final String SCHEMA = "{\"type\":\"record\",\"name\":\"a.B\",\"fields\":[]}";

  private final RegistryServer server = new RegistryServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void confluentsSchemasComeByIdWithWhatTheyReferTo() throws Exception {
    server.answer(
        "/schemas/ids/7",
        json(
            Map.of(
                "schema", "top", "references", List.of(reference("s a/b", 3), reference("t", 1)))));
    server.answer(
        "/subjects/s%20a%2Fb/versions/3?deleted=true",
        json(Map.of("schema", "middle", "references", List.of(reference("t", 1)))));
    server.answer("/subjects/t/versions/1?deleted=true", json(Map.of("schema", "leaf")));

    assertThat(confluent(null).schema(id(7)))
        .isEqualTo(new RegisteredSchema("top", List.of("leaf", "middle")));
  }

  private static Map<String, Object> reference(String subject, int version) {
    return Map.of("name", "x", "subject", subject, "version", version);
  }

  @Test
  void apicuriosSchemasComeByEitherIdWithWhatTheyReferTo() throws Exception {
    String reference =
        json(List.of(Map.of("artifactId", "t/u", "groupId", "g", "version", "2", "name", "x")));
    for (String version : List.of("", "/content")) {
      server.answer("/groups/g/artifacts/t%2Fu/versions/2" + version, "leaf");
    }
    server.answer("/groups/g/artifacts/t%2Fu/versions/2/references", "[]");
    server.answer("/ids/globalIds/5", "top");
    server.answer("/ids/globalIds/5/references", reference);
    server.answer("/ids/contentIds/6", SCHEMA);
    server.answer("/ids/contentIds/6/references", "[]");

    for (RegistrySettings.Api api :
        List.of(RegistrySettings.Api.APICURIO_V2, RegistrySettings.Api.APICURIO_V3)) {
      ApicurioRegistry registry = new ApicurioRegistry(http(null), api);
      assertThat(registry.schema(new SchemaId(SchemaId.Kind.GLOBAL, 5)))
          .isEqualTo(new RegisteredSchema("top", List.of("leaf")));
      assertThat(registry.schema(new SchemaId(SchemaId.Kind.CONTENT, 6)))
          .isEqualTo(new RegisteredSchema(SCHEMA, List.of()));
    }
    assertThat(server.requests())
        .contains("/groups/g/artifacts/t%2Fu/versions/2")
        .endsWith("/ids/contentIds/6/references");
  }

  @Test
  void anUnknownIdIsTheMessagesProblem() {
    assertThatThrownBy(() -> confluent(null).schema(id(9)))
        .isInstanceOf(Problem.class)
        .hasMessage(
            "the schema registry "
                + server.url()
                + " has no such schema. Is it the one that the connector's converter uses?");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void otherSchemasThanAvroAreTheMessagesProblem() {
    server.answer("/schemas/ids/1", json(Map.of("schema", "x", "schemaType", "PROTOBUF")));

    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(Problem.class)
        .hasMessage("expected an Avro schema, found one of type \"PROTOBUF\"");
  }

  @Test
  void aRegistryThatFailsForAWhileIsAskedAgain() throws Exception {
    server.put(1, SCHEMA);
    server.failNext(503, 0, 429, 500);

    assertThat(confluent(null).schema(id(1)).text()).isEqualTo(SCHEMA);
    assertThat(server.requests()).hasSize(5);
  }

  @Test
  void aRegistryThatGoesOnFailingIsAnOutage() {
    server.failNext(503, 503, 503, 503, 503, 503);

    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage(
            "No schema registry answered in 5 attempts, the last time "
                + server.url()
                + ": HTTP 503");
    server.close();
    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageEndingWith("ConnectException");
  }

  @Test
  void theNextUrlIsAskedWhereOneIsDown() throws Exception {
    server.put(1, SCHEMA);
    RegistryServer down = new RegistryServer();
    down.close();
    RegistryHttp both =
        new RegistryHttp(List.of(URI.create(down.url()), URI.create(server.url())), null, HASTY);

    assertThat(new ConfluentRegistry(both).schema(id(1)).text()).isEqualTo(SCHEMA);
  }

  @Test
  void aRootThatIsNoRegistrysIsNoFaultOfTheMessage() {
    server.failNext(404);
    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage(
            "Schema registry " + server.url() + " answered 404: is the URL the API's root?");
    server.answer("/schemas/ids/1", "<html>");
    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageContaining("is not JSON");
  }

  /** As Apicurio's registry answers under another path than its APIs', word for word. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"error_code\":404,\"message\":\"HTTP 404 Not Found\"}",
        "{\"error_code\":0,\"message\":\"RESTEASY003210: Could not find resource\"}",
        "{\"error_code\":404,\"message\":\"RESTEASY003210\",\"name\":\"NotFoundException\"}",
        "{\"title\":\"RESTEASY003210\",\"status\":404,\"name\":\"NotFoundException\"}",
        ""
      })
  void aPathThatTheRegistryDoesNotHaveIsNoFaultOfTheMessage(String body) {
    server.notFound(body);
    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageEndingWith("answered 404: is the URL the API's root?");
    assertThatThrownBy(() -> apicurio().schema(new SchemaId(SchemaId.Kind.CONTENT, 1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessageEndingWith("answered 404: is the URL the API's root?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ArtifactNotFoundException", "VersionNotFoundException"})
  void anIdThatApicurioDoesNotHaveIsTheMessagesProblem(String name) {
    server.notFound("{\"status\":404,\"name\":\"" + name + "\"}");
    assertThatThrownBy(() -> apicurio().schema(new SchemaId(SchemaId.Kind.GLOBAL, 1)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("has no such schema");
  }

  private ApicurioRegistry apicurio() {
    return new ApicurioRegistry(http(null), RegistrySettings.Api.APICURIO_V3);
  }

  @Test
  void anAnswerWithoutEndIsNoSchema() throws Exception {
    String mebibyte = "x".repeat(1024 * 1024 - 1);
    server.answer("/schemas/ids/1", json(Map.of("schema", mebibyte.repeat(15))));
    assertThat(confluent(null).schema(id(1)).text()).hasSizeGreaterThan(15_000_000);

    server.answer("/schemas/ids/2", json(Map.of("schema", mebibyte.repeat(17))));
    assertThatThrownBy(() -> confluent(null).schema(id(2)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage(
            "Schema registry "
                + server.url()
                + " answered with more than 16 MiB, expected a schema: is the URL the API's root?");
    assertThat(server.requests()).hasSize(2);
  }

  @Test
  void aSchemaThatRefersToOthersWithoutEndIsTheMessagesProblem() {
    server.answer(
        "/schemas/ids/1", json(Map.of("schema", "top", "references", List.of(reference("s", 1)))));
    for (int i = 1; i < 110; i++) {
      server.answer(
          "/subjects/s/versions/" + i + "?deleted=true",
          json(Map.of("schema", "x", "references", List.of(reference("s", i + 1)))));
    }

    assertThatThrownBy(() -> confluent(null).schema(id(1)))
        .isInstanceOf(Problem.class)
        .hasMessage("expected a schema that refers to at most 100 others, found one with more");
  }

  @Test
  void credentialsAreSentAndNeverShown() throws Exception {
    server.put(1, SCHEMA);
    server.requireAuthorization("Basic bWU6Z2VoZWlt");

    assertThat(confluent("Basic bWU6Z2VoZWlt").schema(id(1)).text()).isEqualTo(SCHEMA);
    assertThatThrownBy(() -> confluent("Bearer geheim").schema(id(1)))
        .isInstanceOf(RegistryUnavailableException.class)
        .hasMessage(
            "Schema registry "
                + server.url()
                + " answered 401: it wants other credentials, see basic.auth.user.info and"
                + " bearer.auth.token");
  }

  /** So that no policy for malformed messages passes over what a registry could have told. */
  @Test
  void anOutageIsNoOutcomeOfADecoder() {
    server.close();
    SchemaRegistry down = new ConfluentRegistry(http(null));
    MessageReader reader =
        (bytes, headers) -> {
          down.schema(id(1));
          throw new AssertionError("The registry is down");
        };
    MessageFormat format =
        new MessageFormat() {
          private static final long serialVersionUID = 1L;

          @Override
          public MessageReader keys() {
            return reader;
          }

          @Override
          public MessageReader values() {
            return reader;
          }
        };
    RowShape shape = new RowShape(List.of(new Column("id", ColumnType.Simple.INT, true)));
    for (Unwrap unwrap : new Unwrap[] {null, Unwrap.DEFAULTS}) {
      ChangeDecoder decoder =
          ChangeDecoder.of(
              shape, DecoderSettings.DEFAULTS.withFormat(format, unwrap), new TextRow(shape));
      RawRecord record =
          new RawRecord(new SourceOffset("t", 0, 0), 0, new byte[5], new byte[5], Map.of());
      assertThatThrownBy(() -> decoder.decode(record))
          .isInstanceOf(RegistryUnavailableException.class);
    }
  }

  /** Without pauses: the test waits for nothing. */
  private static final RegistryHttp.Patience HASTY =
      new RegistryHttp.Patience(5, Duration.ZERO, Duration.ofSeconds(20), Duration.ofSeconds(20));

  private RegistryHttp http(@Nullable String authorization) {
    return new RegistryHttp(List.of(URI.create(server.url())), authorization, HASTY);
  }

  private ConfluentRegistry confluent(@Nullable String authorization) {
    return new ConfluentRegistry(http(authorization));
  }

  private static SchemaId id(long number) {
    return new SchemaId(SchemaId.Kind.SCHEMA, number);
  }
}
