package io.tidemark.debezium;

import static io.tidemark.debezium.Events.SOURCE;
import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static java.nio.charset.StandardCharsets.UTF_16;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.change.Change;
import io.tidemark.change.RemovedRow;
import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.version.VersionScheme;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvelopeDecoderTest {
  private static final String FLAT =
      ". If ExtractNewRecordState flattened it, set kafka.format to debezium-json-flat or"
          + " debezium-avro-flat";

  private static final String ROW = "{\"id\":1,\"name\":\"a\"}";
  private static final String KEY = "{\"id\":1}";
  private static final String AT = " Stream[90, 100, 0] at 7000000";

  private final EnvelopeDecoder decoder =
      decoder(DecoderSettings.DEFAULTS, "id*: long", "name: string");

  @Test
  void insertUpdateAndReadLeaveTheRowInAfter() {
    String source = SOURCE.replace("\"false\"", "\"incremental\"");
    String row = "UPSERT {id=1, name=a}";
    // What a snapshot did not read is a change, whatever the source block says.
    assertThat(decode(KEY, envelope("c", ROW, source))).isEqualTo(row + AT);
    assertThat(decode(KEY, envelope("u", ROW, source))).isEqualTo(row + AT);
    assertThat(decode(KEY, envelope("r", ROW, source)))
        .isEqualTo(row + " Incremental[90, 0, 0] at 7000000");
  }

  @Test
  void aDeleteLeavesTheKeyAlone() {
    assertThat(decode(KEY, deleteOf("{\"id\":1,\"name\":\"\"}"))).isEqualTo("DELETE {id=1}" + AT);
    assertThat(decode(KEY, deleteOf("null"))).isEqualTo("DELETE {id=1}" + AT);
  }

  @Test
  void aDeleteSaysWhichRowItRemovedWhereBeforeIsTrusted() {
    EnvelopeDecoder full =
        decoder(DecoderSettings.DEFAULTS.withWholeBefore(true), "id*: long", "name: string");
    Decoded row = (Decoded) full.decode(record(KEY, envelope("c", ROW)));
    Decoded delete = (Decoded) full.decode(record(KEY, deleteOf(ROW)));
    Decoded other = (Decoded) full.decode(record(KEY, deleteOf("{\"id\":1,\"name\":\"b\"}")));

    assertThat(delete.removed())
        .isEqualTo(
            new RemovedRow(Change.contentHash(row.row(), null), new SourceOffset("t", 0, 5)));
    assertThat(other.removed()).isNotEqualTo(delete.removed());
    assertThat(text(delete)).isEqualTo("DELETE {id=1}" + AT);
    assertThat(row.removed()).isNull();
    assertThat(text(full.decode(record(KEY, deleteOf("null")))))
        .isEqualTo(
            "op d: expected the whole row in before, as the route's before: full says, found none."
                + " Set REPLICA IDENTITY FULL on the source table, or before: key");
    assertThat(((Decoded) decoder.decode(record(KEY, deleteOf(ROW)))).removed()).isNull();
    // What no column can hold does not keep a row from being deleted.
    String unreadable = deleteOf("{\"id\":1,\"name\":7}");
    assertThat(((Decoded) full.decode(record(KEY, unreadable))).removed()).isNull();
  }

  @Test
  void fieldsComeInAnyOrder() {
    String value =
        "{\"op\":\"u\",\"ts_ms\":5,\"source\":"
            + SOURCE
            + ",\"more\":[{}],\"after\":"
            + "{\"name\":\"a\",\"id\":1},\"before\":{\"name\":[[]],\"id\":1}}";
    assertThat(decode(KEY, value)).isEqualTo("UPSERT {id=1, name=a}" + AT);
  }

  @Test
  void keyAndValueMayHaveSchemasOrNot() {
    String id = "{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"}";
    String name = "{\"type\":\"string\",\"optional\":true,\"field\":\"name\"}";
    String key = framed("{\"type\":\"struct\",\"fields\":[" + id + "]}", KEY);
    String value =
        framed(
            "{\"type\":\"struct\",\"fields\":[{\"type\":\"struct\",\"fields\":["
                + id
                + ","
                + name
                + "],\"field\":\"after\"}]}",
            envelope("c", ROW));
    for (int round = 0; round < 3; round++) {
      assertThat(decode(key, value)).isEqualTo("UPSERT {id=1, name=a}" + AT);
      assertThat(decode(KEY, value)).isEqualTo("UPSERT {id=1, name=a}" + AT);
      assertThat(decode(key, envelope("c", ROW))).isEqualTo("UPSERT {id=1, name=a}" + AT);
    }
  }

  @Test
  void recordsThatChangeNoRowAreIgnoredByKind() {
    assertThat(decode(KEY, null)).isEqualTo("TOMBSTONE");
    assertThat(decode("{\"serverName\":\"s\"}", "{\"ts_ms\":1}")).isEqualTo("HEARTBEAT");
    assertThat(
            decode(
                "{\"id\":\"1:2\"}",
                "{\"status\":\"BEGIN\",\"id\":\"1:2\",\"event_count\":null,"
                    + "\"data_collections\":null,\"ts_ms\":1}"))
        .isEqualTo("TRANSACTION");
    assertThat(
            decode(
                null,
                "{\"source\":{},\"ts_ms\":1,\"databaseName\":\"d\",\"schemaName\":null,"
                    + "\"ddl\":\"create table\",\"tableChanges\":[]}"))
        .isEqualTo("SCHEMA_CHANGE");
    assertThat(
            decode(null, "{\"op\":\"m\",\"ts_ms\":1,\"source\":{},\"message\":{\"prefix\":\"p\"}}"))
        .isEqualTo("MESSAGE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"after\":null,\"op\":\"t\"} | 'op t: the source table was truncated, and truncates are"
            + " refused, since no change says which rows went. Build the table anew from a"
            + " snapshot, or set truncate: ignore in the route to keep the rows; to leave truncates"
            + " out of the topic keep Debezium''s skipped.operations at t'",
        "{\"op\":\"x\"} | 'op: expected c, u, r, d, m or t, found \"x\"'",
        "{\"op\":7} | 'op: expected a string, found an integer'",
        "{\"op\":\"c\",\"op\":\"d\"} | field op occurs twice",
        "{\"op\":\"c\"} | 'op c: expected a row in after, found none'",
        "{\"op\":\"u\",\"after\":null} | 'op u: expected a row in after, found none'",
        "{\"id\":1,\"name\":\"a\"} | 'expected a Debezium envelope with op, before, after and"
            + " source; found no op, and the names \"id\", \"name\""
            + FLAT
            + "'",
        "{\"after\":{\"id\":1}} | 'expected a Debezium envelope with op, before, after and source;"
            + " found no op, and the names \"after\""
            + FLAT
            + "'",
        "null | 'expected a Debezium envelope, found JSON null: so ExtractNewRecordState writes a"
            + " delete. If it flattened the messages, set kafka.format to debezium-json-flat or"
            + " debezium-avro-flat'",
        "{\"schema\":{},\"payload\":null} | 'expected a Debezium envelope, found JSON null: so"
            + " ExtractNewRecordState writes a delete. If it flattened the messages, set"
            + " kafka.format to debezium-json-flat or debezium-avro-flat'",
        "[1] | 'expected a Debezium envelope as an object, found a list'",
        "{\"op\":\"c\",\"before\":\"geheim\"} | 'before: expected an object, found a string'",
        "{\"op\":\"c\",\"after\":[1]} | 'after: expected an object, found a list'",
        "{\"op\":\"c\",\"after\":{\"id\":1,\"nam\":2}} | 'after: column \"nam\": the table has no"
            + " such column'",
        "{\"op\":\"c\",\"after\":{\"id\":1,\"id\":1}} | 'after: column id occurs twice'",
        "{\"op\":\"c\",\"after\":{\"id\":null}} | 'after: column id: a key column, expected a"
            + " value, found null'",
        "{\"op\":\"c\",\"after\":{\"name\":\"a\"}} | 'after: column id: a key column, expected a"
            + " value, found no such field'",
        "{\"op\":\"c\",\"after\":{\"id\":\"geheim\"}} | 'after: column id: expected a 64-bit"
            + " integer, found a string'",
        "{\"op\":\"c\",\"after\":{\"id\":1,\"name\":geheim}} | 'value: not JSON'",
        "{\"op\":\"c\",\"after\":{\"id\":1,\"name\":\"gehei | 'value: JSON that ends early'",
        "{\"op\":\"m\"} x | 'value: not JSON'",
        "{\"op\":\"m\"} {} | 'expected the end of the JSON text, found more after it'",
        "{\"op\":\"c\",\"source\":1} | 'source: expected an object, found an integer'",
        "{\"op\":\"c\",\"source\":{\"lsn\":\"1\"}} | 'source: lsn: expected a 64-bit integer, found"
            + " a string'",
        "{\"op\":\"c\",\"source\":{\"snapshot\":\"maybe\"}} | 'source: snapshot: expected true,"
            + " first, first_in_data_collection, last_in_data_collection, last, false or"
            + " incremental, found \"maybe\"'",
        "{\"op\":\"c\",\"source\":{\"lsn\":1,\"lsn\":1}} | 'source: field lsn occurs twice'",
        "{\"op\":\"c\",\"transaction\":{\"total_order\":-1}} | 'transaction.total_order: expected"
            + " one integer of at least 0'",
        "{\"op\":\"c\",\"ts_ms\":1e3} | 'ts_ms: expected a 64-bit integer, found a fraction'"
      })
  void aValueOfAnotherFormIsRefusedWithWhatWasFound(String value, String problem) {
    assertThat(decode(KEY, value)).isEqualTo(problem);
  }

  @Test
  void truncatesMayBePassedOver() {
    EnvelopeDecoder lenient =
        decoder(DecoderSettings.DEFAULTS.withOnTruncate(OnTruncate.IGNORE), "id*: long");

    assertThat(text(lenient.decode(record(null, "{\"after\":null,\"op\":\"t\"}"))))
        .isEqualTo("TRUNCATE");
  }

  @Test
  void whatAColumnCannotHoldIsRefusedOrNullAsConfigured() {
    String row = "{\"id\":1,\"ts\":[0,[9223372036825200000]],\"name\":\"a\"}";
    String[] columns = {"id*: long", "ts: list<list<timestamp(micros)>>", "name: string"};
    row = row.replace("[0,", "[[0],");

    assertThat(
            text(
                decoder(DecoderSettings.DEFAULTS, columns).decode(record(KEY, envelope("c", row)))))
        .isEqualTo(
            "after: column ts: cannot store an infinite timestamp (on-unrepresentable: null would"
                + " store null)");
    DecoderSettings lenient =
        DecoderSettings.DEFAULTS.withOnUnrepresentable(OnUnrepresentable.NULL);
    assertThat(text(decoder(lenient, columns).decode(record(KEY, envelope("c", row)))))
        .isEqualTo("UPSERT {id=1, name=a}" + AT);
    assertThat(
            text(
                decoder(lenient, "t*: time(micros)")
                    .decode(record("{\"t\":86400000000}", envelope("c", "{\"t\":86400000000}")))))
        .isEqualTo("after: column t: cannot store the time 24:00, which no time column can hold");
  }

  @Test
  void whatAColumnCannotHoldIsADeadLetterWhereItIsConfigured() {
    String row = "{\"id\":1,\"ts\":9223372036825200000}";
    String[] columns = {"id*: long", "ts: timestamp(micros)"};
    DecoderSettings settings =
        DecoderSettings.DEFAULTS.withOnUnrepresentable(OnUnrepresentable.DEAD_LETTER);

    assertThat(decoder(settings, columns).decode(record(KEY, envelope("c", row))))
        .isEqualTo(
            new DecodeResult.Malformed(
                "after: column ts: cannot store an infinite timestamp", true));
    // What is no value of the type at all is malformed like any other message.
    String broken = envelope("c", row.replace("9223372036825200000", "true"));
    assertThat(decoder(settings, columns).decode(record(KEY, broken)))
        .isEqualTo(
            new DecodeResult.Malformed(
                "after: column ts: expected a 64-bit integer, found a boolean", false));
  }

  @Test
  void aTimeOfUnknownUnitIsRefusedUnlessItIsDeclaredOrNull() {
    EnvelopeDecoder bare = decoder(DecoderSettings.DEFAULTS, "id*: long", "ts: timestamp");

    assertThat(text(bare.decode(record(KEY, envelope("c", "{\"id\":1,\"ts\":5}")))))
        .isEqualTo(
            "after: column ts: a number of unknown unit: the message has no schema. Declare the"
                + " column as timestamp(millis), timestamp(micros) or timestamp(nanos) under"
                + " columns");
    assertThat(text(bare.decode(record(KEY, envelope("c", "{\"id\":1,\"ts\":null}")))))
        .isEqualTo("UPSERT {id=1}" + AT);
    assertThat(
            text(
                decoder(DecoderSettings.DEFAULTS, "id*: long", "ts: timestamp(millis)")
                    .decode(record(KEY, envelope("c", "{\"id\":1,\"ts\":5}")))))
        .isEqualTo("UPSERT {id=1, ts=1970-01-01T00:00:00.005}" + AT);
  }

  /** Whichever the schema says that it is; a column of plain text refuses the boolean. */
  @Test
  void aBooleanThatBecameTextIsTextWhereThatIsDeclared() {
    String[] columns = {"id*: long", "flag: string(boolean)"};
    DecoderSettings declared = DecoderSettings.DEFAULTS.withEncodings(Events.encodings(columns));

    assertThat(text(decoder(declared, columns).decode(flag("boolean", "true"))))
        .isEqualTo("UPSERT {flag=true, id=1}" + AT);
    assertThat(text(decoder(declared, columns).decode(flag("string", "\"yes\""))))
        .isEqualTo("UPSERT {flag=yes, id=1}" + AT);
    assertThat(
            text(
                decoder(DecoderSettings.DEFAULTS, "id*: long", "flag: string")
                    .decode(flag("boolean", "true"))))
        .isEqualTo(
            "after: column flag: expected string, as the table has it, found boolean in the"
                + " message's schema");
  }

  private static RawRecord flag(String type, String value) {
    String schema =
        """
        {"type":"struct","fields":[{"type":"struct","field":"after","fields":[
          {"type":"int64","field":"id"},{"type":"%s","optional":true,"field":"flag"}]}]}"""
            .formatted(type);
    return record(KEY, framed(schema, envelope("c", "{\"id\":1,\"flag\":" + value + "}")));
  }

  @Test
  void theTimeIsTheSourcesElseTheConnectorsElseTheRecords() {
    String none = "\"lsn\":1,\"connector\":\"postgresql\",\"sequence\":\"[null,\\\"1\\\"]\"";
    assertThat(time("{" + none + ",\"ts_ms\":3,\"ts_us\":4}", "")).isEqualTo(4);
    assertThat(time("{" + none + ",\"ts_ms\":3}", "")).isEqualTo(3000);
    assertThat(time("{" + none + ",\"ts_ms\":null}", ",\"ts_ms\":2")).isEqualTo(2000);
    assertThat(time("{" + none + "}", "")).isEqualTo(1_000_000);
  }

  @Test
  void bytesThatAreNoUtf8AreRefused() {
    String expected = "expected JSON in UTF-8, found bytes that are not UTF-8";
    byte[] latin1 =
        envelope("c", ROW.replace('a', '?')).getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    for (int i = 0; i < latin1.length; i++) {
      latin1[i] = latin1[i] == '?' ? (byte) 0xe9 : latin1[i];
    }
    assertThat(decode(latin1)).isEqualTo("value: " + expected);
    assertThat(decode(envelope("c", ROW).getBytes(UTF_16))).isEqualTo(expected);
    assertThat(decode(new byte[0])).isEqualTo("expected JSON, found no bytes");
  }

  @Test
  void depthAndLengthAreLimited() {
    String limits =
        "value: JSON over a limit: nesting 200, strings 67108864, numbers 150000, names 1000"
            + " characters";
    assertThat(decode(KEY, "{\"a\":" + "[".repeat(100_000))).isEqualTo(limits);
    assertThat(decode(KEY, "{\"op\":\"c\",\"after\":{\"id\":" + "1".repeat(200_000) + "}}"))
        .isEqualTo(limits);
    assertThat(decode(KEY, "{\"" + "n".repeat(2000) + "\":1}")).isEqualTo(limits);
  }

  @Test
  void settingsThatDoNotFitTheShapeAreRefused() {
    assertThatThrownBy(
            () ->
                new EnvelopeDecoder(
                    Events.shape("id*: long"),
                    DecoderSettings.DEFAULTS.withEncodings(Events.encodings("x: long")),
                    new io.tidemark.corpus.TextRow(Events.shape("id*: long"))))
        .hasMessage("Encodings name columns that are not there: [x]");
    assertThatThrownBy(
            () -> decoder(DecoderSettings.DEFAULTS.withKeyColumns(List.of("x")), "id*: long"))
        .hasMessage("The key columns are [id], the settings name [x]");
  }

  private long time(String source, String more) {
    String value = envelope("c", ROW, source);
    value = value.substring(0, value.length() - 1) + more + "}";
    return ((Decoded) decoder.decode(record(KEY, value))).sourceTimeMicros();
  }

  private String decode(String key, String value) {
    return text(decoder.decode(record(key, value)));
  }

  private String decode(byte[] value) {
    return text(
        decoder.decode(
            new RawRecord(
                new SourceOffset("t", 0, 0),
                0,
                KEY.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                value,
                Map.of())));
  }

  private static String deleteOf(String before) {
    return "{\"before\":" + before + ",\"after\":null,\"source\":" + SOURCE + ",\"op\":\"d\"}";
  }

  private static String framed(String schema, String payload) {
    return "{\"schema\":" + schema + ",\"payload\":" + payload + "}";
  }

  @Test
  void theSchemeIsTheSettings() {
    EnvelopeDecoder byOffset =
        decoder(
            DecoderSettings.DEFAULTS.withVersion(VersionScheme.parse("kafka-offset")),
            "id*: long",
            "name: string");
    assertThat(text(byOffset.decode(record(KEY, "{\"after\":" + ROW + ",\"op\":\"c\"}"))))
        .isEqualTo("UPSERT {id=1, name=a} ByOffset[0, 0, 0] at 1000000");
  }
}
