package io.tidemark.debezium;

import static io.tidemark.debezium.Events.SOURCE;
import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.DecodeResult.Decoded;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which key a change is of, and when nobody can say. */
class EnvelopeKeyTest {
  private static final String ROW = "{\"id\":1,\"name\":\"a\"}";
  private static final String KEY = "{\"id\":1}";
  private static final String BOTH = "{\"id\":1,\"email\":\"a\",\"area\":1}";
  private static final String AT = " Stream[90, 100, 0] at 7000000";

  private final EnvelopeDecoder decoder =
      decoder(DecoderSettings.DEFAULTS, "id*: long", "name: string");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "{\"id\":2} | the message key is not the key of the row in after",
        "{\"name\":\"a\"} | 'message key: expected the key columns id, found column name'",
        "{\"x\":1} | 'message key: column \"x\": the table has no such column'",
        "{\"id\":1,\"name\":\"a\"} | 'message key: expected the key columns id, found column name'",
        "{} | 'message key: expected the key columns id, found none named id'",
        "{\"id\":null} | 'message key: column id: a key column, expected a value, found null'",
        "5 | 'message key: expected an object, found an integer'",
        "'{\"id\":1' | 'message key: JSON that ends early'",
        "'' | 'message key: expected JSON, found no bytes'"
      })
  void aKeyOfAnotherFormIsRefusedWithWhatWasFound(String key, String problem) {
    assertThat(decode(key, envelope("c", ROW))).isEqualTo(problem);
  }

  @Test
  void aMissingKeyIsRefusedWithTheRemedy() {
    assertThat(decode(null, envelope("c", ROW)))
        .isEqualTo(
            "the message has no key. Give the source table a primary key, or set the connector's"
                + " message.key.columns; where the topic has one partition, naming the columns of the"
                + " key in the route (key: [...]) is enough");
  }

  @Test
  void configuredKeyColumnsComeFromTheRow() {
    EnvelopeDecoder byName =
        decoder(
            DecoderSettings.DEFAULTS.withKeyColumns(List.of("name")), "id: long", "name*: string");

    assertThat(text(byName.decode(record(null, envelope("c", ROW)))))
        .isEqualTo("UPSERT {id=1, name=a}" + AT);
    assertThat(text(byName.decode(record(KEY, deleteOf("{\"id\":{},\"name\":\"a\"}")))))
        .isEqualTo("DELETE {name=a}" + AT);
    String remedy =
        " in before, found none named name. Set REPLICA IDENTITY FULL on the source table";
    assertThat(text(byName.decode(record(KEY, deleteOf("null")))))
        .isEqualTo("op d: expected the key columns name" + remedy);
    assertThat(text(byName.decode(record(KEY, deleteOf("{\"id\":1}")))))
        .isEqualTo("op d: expected the key columns name" + remedy);
    assertThat(text(byName.decode(record(KEY, deleteOf("{\"name\":null}")))))
        .isEqualTo("op d: expected the key columns name" + remedy);
  }

  /** Else the delete and the insert of one update of id lie in two partitions. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      nullValues = "none",
      value = {
        "{\"id\":1} | the columns \"id\"",
        "{\"email\":\"a\",\"id\":1} | 'the columns \"email\", \"id\"'",
        "{\"schema\":null,\"payload\":{\"id\":1}} | the columns \"id\"",
        "{\"Email\":\"a\"} | the columns \"Email\"",
        "1 | 'an integer, which does not name its column'",
        "' ' | 'the end, which does not name its column'",
        "none | no key",
        "Struct{id=1} | 'one that cannot be read (not JSON)'",
        "'{\"email\":\"a\"} 1' | 'one that cannot be read (expected the end of the JSON text, found more after it)'"
      })
  void inSeveralPartitionsTheMessageKeyHasNoColumnThatTheRowsKeyLacks(String key, String found) {
    for (DecodeResult refused :
        List.of(
            byEmail(true).decode(record(key, envelope("c", BOTH))),
            byEmail(true).decode(record(key, deleteOf(BOTH))),
            byEmail(false).decode(inPartition(3, record(key, envelope("u", BOTH)))))) {
      assertThat(text(refused))
          .startsWith(
              "message key: expected no other columns than those of the route's key, email, area, since"
                  + " the topic has several partitions and the message key decides which one a change"
                  + " goes to; found "
                  + found
                  + ". Changes of one row would lie in different partitions")
          .endsWith(
              "message.key.columns to columns of the route's key, or have one partition; in a new"
                  + " topic, with a new snapshot");
    }
    assertThat(text(byEmail(false).decode(record(key, envelope("c", BOTH))))).startsWith("UPSERT");
    assertThat(text(byEmail(false).decode(record(key, deleteOf(BOTH))))).startsWith("DELETE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"email\":\"a\"}", "{\"area\":1,\"email\":\"a\"}", "{}"})
  void inSeveralPartitionsTheSameKeyOfARowIsTheSameMessageKey(String key) {
    assertThat(text(byEmail(true).decode(record(key, envelope("c", BOTH))))).startsWith("UPSERT");
    assertThat(text(byEmail(true).decode(inPartition(3, record(key, deleteOf(BOTH))))))
        .startsWith("DELETE");
  }

  @Test
  void theColumnThatARouterAddsHasItsOwnRemedy() {
    String key = "{\"email\":\"a\",\"__dbz__physicalTableIdentifier\":\"shop.a\"}";
    assertThat(text(byEmail(true).decode(record(key, envelope("c", BOTH)))))
        .contains("(ByLogicalTableRouter: key.enforce.uniqueness=false)");
  }

  @Test
  void inSeveralPartitionsRecordsThatChangeNoRowNeedNoKey() {
    for (String value : new String[] {null, envelope("m", "null"), "{\"ts_ms\":1}"}) {
      assertThat(byEmail(true).decode(record(null, value)))
          .isInstanceOf(DecodeResult.Ignored.class);
    }
  }

  private static EnvelopeDecoder byEmail(boolean severalPartitions) {
    return decoder(
        DecoderSettings.DEFAULTS
            .withKeyColumns(List.of("email", "area"))
            .withSeveralPartitions(severalPartitions),
        "id: long",
        "email*: string",
        "area*: int");
  }

  private static RawRecord inPartition(int partition, RawRecord record) {
    SourceOffset at = new SourceOffset("t", partition, 5);
    return new RawRecord(at, 1000, record.key(), record.value(), record.headers());
  }

  @Test
  void anUpdateThatChangesTheKeyLeavesAnOrphanAndIsRefused() {
    String moved =
        envelope("u", ROW).replace("\"before\":null", "\"before\":{\"id\":2,\"name\":\"b\"}");
    assertThat(decode(KEY, moved))
        .isEqualTo(
            "op u: the key in before is another than in after, and no change deletes the row of the"
                + " old key, which would stay. Set REPLICA IDENTITY FULL on the source table, or"
                + " take columns into the message key that no update changes");
    EnvelopeDecoder byName =
        decoder(
            DecoderSettings.DEFAULTS.withKeyColumns(List.of("name")), "id: long", "name*: string");
    assertThat(text(byName.decode(record(KEY, moved))))
        .endsWith("Name columns in the route's key that no update changes");
    // What before does not show, nobody can tell; an insert has no before that counts.
    for (String before : List.of("{\"id\":1}", "{\"name\":\"b\"}", "{\"id\":null}", "null")) {
      assertThat(decode(KEY, envelope("u", ROW).replace("\"before\":null", "\"before\":" + before)))
          .isEqualTo("UPSERT {id=1, name=a}" + AT);
    }
  }

  @Test
  void aKeyThatDebeziumDidNotGetIsRefused() {
    String key = "{\"id\":\"__debezium_unavailable_value\"}";
    EnvelopeDecoder decoder = decoder(DecoderSettings.DEFAULTS, "id*: string");

    assertThat(text(decoder.decode(record(key, envelope("u", key)))))
        .isEqualTo(
            "after: column id: Debezium did not get its value, since the update left it as it was"
                + " (TOAST). Set REPLICA IDENTITY FULL on the source table; if this is the user's own"
                + " text, set unavailable-value: none in the route");
    assertThat(text(decoder.decode(record(key, envelope("d", "null")))))
        .startsWith("message key: column id: Debezium did not get its value");
  }

  @Test
  void aKeyIsTheSameInWhateverOrderItsColumnsCome() {
    EnvelopeDecoder two = decoder(DecoderSettings.DEFAULTS, "a*: int", "v: int", "b*: string");
    Decoded first =
        (Decoded)
            two.decode(record("{\"b\":\"x\",\"a\":1}", envelope("c", "{\"a\":1,\"b\":\"x\"}")));
    Decoded second =
        (Decoded)
            two.decode(
                record("{\"a\":1,\"b\":\"x\"}", envelope("c", "{\"b\":\"x\",\"v\":2,\"a\":1}")));

    assertThat(first.key()).isEqualTo(second.key());
    assertThat(first.key().toHex()).isEqualTo("80000001780000");
  }

  private String decode(String key, String value) {
    return text(decoder.decode(record(key, value)));
  }

  private static String deleteOf(String before) {
    return "{\"before\":" + before + ",\"after\":null,\"source\":" + SOURCE + ",\"op\":\"d\"}";
  }
}
