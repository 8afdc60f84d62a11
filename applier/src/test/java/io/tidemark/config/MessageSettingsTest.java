package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.withKafka;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.avro.AvroFormat;
import io.tidemark.debezium.format.JsonFormat;
import org.junit.jupiter.api.Test;

class MessageSettingsTest {

  @Test
  void theFormatSaysHowMessagesAreRead() {
    MessageSettings json = messages("format: debezium-json");
    assertThat(json.messages()).isEqualTo(new JsonFormat());
    assertThat(json.unwrapped()).isNull();

    MessageSettings flat = messages("format: debezium-json-flat");
    assertThat(flat.messages()).isEqualTo(new JsonFormat());
    assertThat(flat.unwrapped()).isEqualTo(Unwrap.DEFAULTS);

    MessageSettings avro =
        messages("format: debezium-avro\nregistry: {schema.registry.url: 'http://r'}");
    assertThat(avro.messages()).isInstanceOf(AvroFormat.class);
    assertThat(avro.unwrapped()).isNull();
  }

  @Test
  void whatDoesNotBelongToTheFormatIsRefused() {
    assertThat(problems("registry: {schema.registry.url: 'http://r'}\nunwrap: {add.fields: op}"))
        .contains(
            "kafka.unwrap (line 8): belongs to debezium-json-flat and debezium-avro-flat, found"
                + " kafka.format: debezium-json",
            "kafka.registry (line 7): belongs to debezium-avro and debezium-avro-flat, found"
                + " kafka.format: debezium-json");
    assertThat(problems("format: debezium-avro"))
        .contains(
            "kafka.registry (line 5): is missing, expected schema.registry.url or"
                + " apicurio.registry.url: kafka.format is debezium-avro");
  }

  @Test
  void everyProblemIsReportedAtOnceAndWithoutSecrets() {
    String text =
        """
        format: debezium-avro-flat
        registry:
          schema.registry.url: ftp://u:geheim@r
          basic.auth.user.info: geheim
          basic.auth.credentials.source: SASL_INHERIT
          nonsense: geheim
          apicurio.registry.use-id: globalId
        unwrap:
          delete.tombstone.handling.mode: delete
          add.fields.prefix: ''
          nonsense: 1
        """;

    assertThat(problems(text))
        .doesNotContain("geheim")
        .contains(
            "kafka.registry.schema.registry.url (line 9): expected http:// or https:// URLs",
            "kafka.registry.basic.auth.user.info (line 10): expected user:password",
            "kafka.registry.basic.auth.credentials.source (line 11): expected USER_INFO or URL",
            "kafka.registry.nonsense (line 12): is not known here, expected one of",
            "kafka.registry.apicurio.registry.use-id (line 13): belongs to apicurio.registry.url",
            "kafka.unwrap.delete.tombstone.handling.mode (line 15): found \"delete\", expected drop,"
                + " tombstone, rewrite, rewrite-with-tombstone or delete-to-tombstone",
            "kafka.unwrap (line 14): add.fields must be given where its prefix is empty",
            "kafka.unwrap.nonsense (line 17): is not known here");
  }

  @Test
  void credentialsAreNeverShown() {
    String text = "format: debezium-avro\nregistry: {schema.registry.url: 'http://me:geheim@r'}";

    assertThat(messages(text).toString()).doesNotContain("geheim", "bWU6Z2VoZWlt");
    assertThat(withKafka(HEAD + text).toString()).doesNotContain("geheim", "bWU6Z2VoZWlt");
    assertThat(problems("format: debezium-avro\nregistry: {basic.auth.user.info: [geheim]}"))
        .doesNotContain("geheim");
  }

  private static final String HEAD = "bootstrap.servers: a:1\ntopics: x\n";

  private static MessageSettings messages(String text) {
    return withKafka(HEAD + text).kafka().messages();
  }

  private static String problems(String text) {
    return refusal(() -> withKafka(HEAD + text));
  }
}
