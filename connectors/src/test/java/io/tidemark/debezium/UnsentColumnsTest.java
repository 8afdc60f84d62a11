package io.tidemark.debezium;

import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.version.VersionScheme;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a source leaves out is noticed in every dress, and what only looks like it is a value. */
class UnsentColumnsTest {
  private static final String KEY = "{\"id\":1}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "string | \"__debezium_unavailable_value\"",
        "string | \"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==\"",
        "string | \"5f5f646562657a69756d5f756e617661696c61626c655f76616c7565\"",
        "string | '\"{\\\"__debezium_unavailable_value\\\":\\\"__debezium_unavailable_value\\\"}\"'",
        "binary | \"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==\"",
        "list<string> | [\"__debezium_unavailable_value\"]",
        "list<int> | '[95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,"
            + "101,95,118,97,108,117,101]'",
        "list<long> | '[95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,"
            + "101,95,118,97,108,117,101]'",
        "list<uuid> | [\"89ac2e8d-3d15-3a8f-a5bb-1c8b5b4d5c5e\"]",
        "'map<string, string>' | '{\"__debezium_unavailable_value\":\"__debezium_unavailable_value\"}'",
        "date | \"__debezium_unavailable_value\"",
        "list<date> | \"__debezium_unavailable_value\""
      })
  void aValueThatDebeziumDidNotGetIsNeverWritten(String type, String json) {
    String uuid =
        java.util
            .UUID
            .nameUUIDFromBytes(
                "__debezium_unavailable_value".getBytes(java.nio.charset.StandardCharsets.UTF_8))
            .toString();
    String sent = json.replace("89ac2e8d-3d15-3a8f-a5bb-1c8b5b4d5c5e", uuid);
    EnvelopeDecoder wide = decoder(DecoderSettings.DEFAULTS, "id*: long", "wide: " + type);

    String after = "{\"id\":1,\"wide\":" + sent + "}";
    assertThat(text(wide.decode(record(KEY, envelope("u", after)))))
        .isEqualTo("UPSERT {id=1} Stream[90, 100, 0] at 7000000 without [wide]");
    assertThat(text(wide.decode(record(KEY, envelope("u", "{\"id\":1,\"wide\":null}")))))
        .isEqualTo("UPSERT {id=1} Stream[90, 100, 0] at 7000000");
  }

  @Test
  void thePlaceholderIsTheOneThatIsConfigured() {
    String[] columns = {"id*: long", "name: string", "codes: list<int>", "raw: binary"};
    String after = "{\"id\":1,\"name\":\"%s\",\"codes\":[-1,7],\"raw\":\"/wc=\"}";
    DecoderSettings hex = DecoderSettings.DEFAULTS.withUnavailableValue("hex:ff07");
    DecoderSettings none = DecoderSettings.DEFAULTS.withUnavailableValue("");

    assertThat(
            text(
                decoder(hex, columns)
                    .decode(record(KEY, envelope("u", after.formatted("\ufffd\\u0007"))))))
        .endsWith(" without [codes, name, raw]");
    assertThat(
            text(
                decoder(none, columns)
                    .decode(
                        record(
                            KEY,
                            envelope("u", after.formatted(DecoderSettings.UNAVAILABLE_VALUE))))))
        .contains("name=__debezium_unavailable_value")
        .doesNotContain("without");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"x | [120]", "hex:ff | [-1]", "xy | [120,121]", "hex:00017f | [0,1,127]"})
  void anArrayOfNumbersIsThePlaceholdersBytesWhateverItsLength(String placeholder, String json) {
    DecoderSettings settings = DecoderSettings.DEFAULTS.withUnavailableValue(placeholder);

    for (String type : new String[] {"list<int>", "list<long>"}) {
      EnvelopeDecoder decoder = decoder(settings, "id*: long", "wide: " + type);
      String after = "{\"id\":1,\"wide\":" + json + "}";
      assertThat(text(decoder.decode(record(KEY, envelope("u", after)))))
          .isEqualTo("UPSERT {id=1} Stream[90, 100, 0] at 7000000 without [wide]");
      assertThat(text(decoder.decode(record(KEY, envelope("u", after.replace("]", ",5]"))))))
          .doesNotContain("without");
    }
  }

  @Test
  void aRowThatPostgresSendsWholeHasNoPlaceholder() {
    EnvelopeDecoder decoder =
        decoder(DecoderSettings.DEFAULTS, "id*: long", "name: string", "on: date");
    String after = "{\"id\":1,\"name\":\"__debezium_unavailable_value\"}";
    Map<String, byte[]> context = Map.of("__debezium.context.taskId", new byte[] {'0'});
    Map<String, byte[]> keyChange = new java.util.HashMap<>(context);
    keyChange.put("__debezium.oldkey", new byte[] {'1'});

    assertThat(text(decoder.decode(record(KEY, envelope("r", after)))))
        .contains("name=__debezium_unavailable_value")
        .doesNotContain("without");
    assertThat(text(decoder.decode(with(context, record(KEY, envelope("c", after))))))
        .contains("name=__debezium_unavailable_value")
        .doesNotContain("without");
    assertThat(text(decoder.decode(with(keyChange, record(KEY, envelope("c", after))))))
        .endsWith(" without [name] from the start");
    assertThat(text(decoder.decode(record(KEY, envelope("c", after)))))
        .as("headers may be gone")
        .endsWith(" without [name] from the start");
    assertThat(text(decoder.decode(with(context, record(KEY, envelope("u", after))))))
        .endsWith(" without [name]");
    assertThat(
            text(
                decoder.decode(
                    record(
                        KEY, envelope("r", "{\"id\":1,\"on\":\"__debezium_unavailable_value\"}")))))
        .isEqualTo("after: column on: expected a 32-bit integer, found a string");
  }

  /** Whether a connector writes a placeholder is told by its name and version. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "mysql, 3.6.1.Final, true",
        "mariadb, 2.7.3.Final-redhat-00003, true",
        "mysql, 1.9.7.Final, true",
        "mysql, 3.7.0.Alpha2, false",
        "mariadb, 3.10.0.Final, false",
        "mysql, 10.0.0.Final, false",
        "mysql, -, false",
        "mysql, latest, false",
        "vitess, 3.6.1.Final, true",
        "vitess, 3.7.0.Final, false",
        "vitess, -, false",
        "db2, 3.6.1.Final, true",
        "db2, 3.7.0.Final, false",
        "sqlserver, 3.6.1.Final, false",
        "oracle, 3.6.1.Final, false",
        "informix, 3.6.1.Final, false",
        "another, 3.6.1.Final, false",
        "-, 3.6.1.Final, false"
      })
  void theTextIsTheUsersWhereTheConnectorWritesNone(String connector, String version, boolean own) {
    String source =
        "{\"ts_us\":7000000,\"snapshot\":\"false\""
            + (connector == null ? "" : ",\"connector\":\"" + connector + "\"")
            + (version == null ? "" : ",\"version\":\"" + version + "\"")
            + "}";
    EnvelopeDecoder decoder =
        decoder(
            DecoderSettings.DEFAULTS.withVersion(new VersionScheme.KafkaOffset()),
            "id*: long",
            "name: string",
            "on: date");

    String text =
        text(
            decoder.decode(
                record(
                    KEY,
                    envelope(
                        "u", "{\"id\":1,\"name\":\"__debezium_unavailable_value\"}", source))));
    assertThat(text.contains("name=__debezium_unavailable_value")).isEqualTo(own);
    assertThat(text.endsWith(" without [name]")).isEqualTo(!own);
    assertThat(
            text(
                decoder.decode(
                    record(
                        KEY,
                        envelope(
                            "u", "{\"id\":1,\"on\":\"__debezium_unavailable_value\"}", source)))))
        .contains(own ? "on: expected a 32-bit integer, found a string" : " without [on]");
  }

  private static RawRecord with(Map<String, byte[]> headers, RawRecord record) {
    return new RawRecord(
        record.at(), record.timestampMillis(), record.key(), record.value(), headers);
  }
}
