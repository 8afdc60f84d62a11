package io.tidemark.debezium;

import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.Column;
import io.tidemark.row.RowShape;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keys of other columns than the source's own, where a delete has them from a row that the source
 * did not send: {@code REPLICA IDENTITY DEFAULT}.
 */
class InventedKeyTest {
  static final String KEY = "{\"id\":1}";
  private static final String NOTHING = "what its type has for nothing (0, false, no text, ";

  /** Recordings: {@code customer text not null}, {@code status text not null default 'new'}. */
  @ParameterizedTest
  @CsvSource({
    "BASIC,customer,what its type has for nothing",
    "BASIC_SCHEMAS,customer,what its type has for nothing",
    "BASIC_AVRO,customer,what its type has for nothing",
    "UNWRAP_REWRITE,customer,what its type has for nothing",
    "BASIC_SCHEMAS,status,the column's default",
    "BASIC_AVRO,status,the column's default",
    "BASIC,updated_at,what its type has for nothing",
    "BASIC_AVRO,updated_at,what its type has for nothing"
  })
  void noRecordedDeleteIsOfAnInventedKey(CorpusTable table, String column, String found) {
    ChangeDecoder decoder = decoder(table, column, false);
    ChangeDecoder declared = decoder(table, column, true);
    int deletes = 0;
    for (RawRecord record : inOnePartition(table.records())) {
      DecodeResult result = decoder.decode(record);
      if (result instanceof Malformed refused) {
        deletes++;
        assertThat(refused.problem())
            .contains(
                "key column " + column + " of ", ": found " + found, ", which may be invented");
      }
      // Whoever says that rows are whole is believed.
      assertThat(declared.decode(record)).isNotInstanceOf(Malformed.class);
      assertThat(text(result)).doesNotStartWith("DELETE ");
    }
    assertThat(deletes).isGreaterThan(10);
  }

  /** The source's own key, named in the route too. */
  @ParameterizedTest
  @CsvSource({"BASIC", "BASIC_SCHEMAS", "BASIC_AVRO", "UNWRAP_REWRITE"})
  void theSourcesOwnKeyIsReal(CorpusTable table) {
    RowShape shape = table.shape();
    ChangeDecoder unnamed = ChangeDecoder.of(shape, table.settings(), new TextRow(shape));
    ChangeDecoder named = decoder(table, "id", false);
    for (RawRecord record : inOnePartition(table.records())) {
      assertThat(text(named.decode(record))).isEqualTo(text(unnamed.decode(record)));
    }
  }

  /** Without a schema nobody knows that new is the column's default: docs/sources.md says so. */
  @Test
  void aDefaultIsNotKnownWithoutSchema() {
    ChangeDecoder decoder = decoder(CorpusTable.BASIC, "status", false);
    assertThat(
            inOnePartition(CorpusTable.BASIC.records()).stream().map(r -> text(decoder.decode(r))))
        .filteredOn(outcome -> outcome.startsWith("DELETE "))
        .hasSizeGreaterThan(10)
        .allMatch(outcome -> outcome.startsWith("DELETE {status=new}"));
  }

  /** It is filled from the same row, and so names what is invented: docs/types.md says so. */
  @Test
  void whatMessageKeyColumnsTookFromOtherColumnsIsNotSeen() {
    DecoderSettings settings = DecoderSettings.DEFAULTS.withKeyColumns(List.of("email"));
    ChangeDecoder decoder = Events.decoder(settings, "id: int", "email*: string", "v: string");
    assertThat(
            inOnePartition(Corpus.load("pg-keys").of("src.k.mkc")).stream()
                .map(r -> text(decoder.decode(r))))
        .filteredOn(outcome -> outcome.startsWith("DELETE "))
        .isNotEmpty()
        .allMatch(outcome -> outcome.startsWith("DELETE {email=}"));
  }

  /** Where a topic has several, the message key must be of the route's columns. */
  private static List<RawRecord> inOnePartition(List<RawRecord> records) {
    return records.stream()
        .map(
            r ->
                new RawRecord(
                    new SourceOffset(r.at().topic(), 0, r.at().offset()),
                    r.timestampMillis(),
                    r.key(),
                    r.value(),
                    r.headers()))
        .toList();
  }

  private static ChangeDecoder decoder(CorpusTable table, String key, boolean whole) {
    RowShape shape =
        new RowShape(
            table.shape().columns().stream()
                .map(c -> new Column(c.name(), c.type(), c.name().equals(key)))
                .toList());
    DecoderSettings settings = table.settings().withKeyColumns(List.of(key)).withWholeBefore(whole);
    return ChangeDecoder.of(shape, settings, new TextRow(shape));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "string | \"\" | refused",
        "string | \" \" | taken",
        "string | \"{}\" | refused", // JSON, hstore
        "string | \"0\" | refused", // decimal.handling.mode=string
        "string | \"0.00\" | refused",
        "string | \"00\" | taken",
        "string | \"P0Y0M0DT0H0M0S\" | refused",
        "string | \"00:00:00Z\" | refused",
        "string | \"1970-01-01T00:00:00Z\" | refused",
        "string(decimal) | {\"scale\":2,\"value\":\"AA==\"} | refused",
        "string(decimal) | {\"scale\":2,\"value\":\"AQ==\"} | taken",
        "boolean | false | refused",
        "boolean | true | taken",
        "int | 0 | refused",
        "int | 1 | taken",
        "long | 0 | refused",
        "long | -1 | taken",
        "'decimal(9,2)' | \"AA==\" | refused",
        "'decimal(9,2)' | 0.00 | refused",
        "'decimal(9,2)' | \"AQ==\" | taken",
        "date | 0 | refused",
        "date(iso) | \"1970-01-01Z\" | refused",
        "date | 1 | taken",
        "time(micros) | 0 | refused",
        "timestamp(millis) | 0 | refused",
        "timestamp(millis) | 1 | taken",
        "timestamp(iso) | \"1970-01-01T00:00:00Z\" | refused",
        "timestamptz | \"1970-01-01T00:00:00Z\" | refused",
        "timestamptz | \"1970-01-01T01:00:00+01:00\" | refused",
        "timestamptz | \"1970-01-01T00:00:01Z\" | taken",
        "binary | \"\" | refused",
        "binary | \"AA==\" | taken",
        "uuid | \"00000000-0000-0000-0000-000000000000\" | taken" // Debezium has "" for nothing
      })
  void whatATypeHasForNothingMayBeInvented(String type, String value, String expected) {
    String row = "{\"id\":1,\"k\":" + value + "}";
    for (String outcome : both(type, false, KEY, row)) {
      if (expected.equals("taken")) {
        assertThat(outcome).startsWith("DELETE {k=");
      } else {
        assertThat(outcome).contains("key column k of ", ": found " + NOTHING);
      }
    }
    assertThat(both(type, true, KEY, row)).allMatch(o -> o.startsWith("DELETE {k="));
    String named = "{\"k\":" + value + ",\"id\":1}";
    assertThat(both(type, false, named, row)).allMatch(o -> o.startsWith("DELETE {k="));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      nullValues = "none",
      value = {
        "long | 0 | {\"k\":0} | taken",
        "long | 0 | {\"schema\":null,\"payload\":{\"k\":0}} | taken",
        "long | 0 | {\"K\":0} | refused",
        "long | 0 | {} | refused",
        "long | 0 | none | refused",
        "long | 0 | 'Struct{k=0}' | refused",
        "long | 0 | {\"k\":0 | refused",
        "long | 0 | {\"k\":0}0 | refused",
        // One value without a name is the source's own key where it is the row's.
        "long | 0 | 0 | taken",
        "long | 0 | 1 | refused",
        "string | \"\" | '' | taken",
        "string | \"\" | \"\" | taken",
        "string | \"\" | \"a\" | refused",
        "date | 0 | 0 | refused"
      })
  void whatTheMessageKeyTellsIsReal(
      String type, String value, @Nullable String key, String expected) {
    assertThat(both(type, false, key, "{\"id\":1,\"k\":" + value + "}"))
        .allMatch(o -> o.startsWith("DELETE {k=") == expected.equals("taken"))
        .allMatch(o -> o.contains("may be invented") == expected.equals("refused"));
  }

  @Test
  void eachColumnOfTheKeyIsLookedAt() {
    DecoderSettings settings = settings("long", false).withKeyColumns(List.of("id", "k"));
    ChangeDecoder decoder = Events.decoder(settings, "id*: long", "k*: long");
    assertThat(text(decoder.decode(record(KEY, enveloped("postgresql", "{\"id\":0,\"k\":1}")))))
        .startsWith("DELETE {id=0, k=1}");
    assertThat(text(decoder.decode(record(KEY, enveloped("postgresql", "{\"id\":0,\"k\":0}")))))
        .startsWith("op d: key column k of before: found ");
  }

  @ParameterizedTest
  @CsvSource({
    "postgresql,refused",
    "oracle,refused",
    "billing,refused",
    "mysql,taken",
    "mariadb,taken",
    "sqlserver,taken"
  })
  void deletesOfSomeConnectorsAreWhole(String connector, String expected) {
    String value = enveloped(connector, "{\"id\":1,\"k\":0}");
    assertThat(text(decoder("long", false).decode(record(KEY, value))))
        .startsWith(expected.equals("taken") ? "DELETE {k=0}" : "op d: key column k of before");
    String row =
        "{\"id\":1,\"k\":0,\"__deleted\":\"true\",\"__source_connector\":\"" + connector + "\"}";
    assertThat(text(flat("long", false).decode(record(KEY, row))))
        .startsWith(expected.equals("taken") ? "DELETE {k=0}" : "key column k of a deleted row");
  }

  @Test
  void anOldKeyInAnUpdateIsNoBetter() {
    String update =
        "{\"before\":{\"id\":1,\"k\":%s},\"after\":{\"id\":2,\"k\":7},\"source\":"
            + Events.SOURCE
            + ",\"op\":\"u\"}";
    assertThat(text(decoder("long", false).decode(record(KEY, update.formatted("0")))))
        .startsWith("op u: key column k of before: found " + NOTHING)
        .endsWith("(message.key.columns would be filled with the same values)");
    assertThat(text(decoder("long", true).decode(record(KEY, update.formatted("0")))))
        .startsWith("op u: the key in before is another than in after");
    assertThat(text(decoder("long", false).decode(record(KEY, update.formatted("5")))))
        .startsWith("op u: the key in before is another than in after");
    // No row is deleted by it: it says as little as a before that is null.
    String same = update.replace("\"k\":7", "\"k\":0").formatted("0");
    assertThat(text(decoder("long", false).decode(record(KEY, same)))).startsWith("UPSERT ");
  }

  @Test
  void theProblemSaysWhatToDo() {
    assertThat(both("string", false, KEY, "{\"id\":1,\"k\":\"\"}").get(0))
        .isEqualTo(
            "op d: key column k of before: found what its type has for nothing (0, false, no text, no"
                + " bytes, 1970), which may be invented, expected a value that the source sent. The"
                + " message key does not name the column, and without REPLICA IDENTITY FULL on the"
                + " source table before holds the source's own key alone, and such values of Debezium"
                + " for the rest: the row of the real key would stay. Set REPLICA IDENTITY FULL, put this"
                + " record aside and delete its row once more; once all deletes that are still to be read"
                + " hold the whole row for sure, say so with before: full in the route. Or have"
                + " the source's own key: leave out key in the route (message.key.columns would be"
                + " filled with the same values)");
  }

  /** The delete of a row in its envelope, and flattened. */
  private static List<String> both(String type, boolean whole, @Nullable String key, String row) {
    String flat = row.substring(0, row.length() - 1) + ",\"__deleted\":\"true\"}";
    return List.of(
        text(decoder(type, whole).decode(record(key, enveloped("postgresql", row)))),
        text(flat(type, whole).decode(record(key, flat))));
  }

  static String enveloped(String connector, String row) {
    return "{\"before\":%s,\"after\":null,\"source\":{\"connector\":\"%s\"},\"op\":\"d\"}"
        .formatted(row, connector);
  }

  static ChangeDecoder decoder(String type, boolean whole) {
    return Events.decoder(settings(type, whole), "id: long", "k*: " + type);
  }

  static ChangeDecoder flat(String type, boolean whole) {
    RowShape shape = Events.shape("id: long", "k*: " + type);
    DecoderSettings settings = settings(type, whole).withFormat(new JsonFormat(), rewrite());
    return ChangeDecoder.of(shape, settings, new TextRow(shape));
  }

  static Unwrap rewrite() {
    return new Unwrap(
        Unwrap.DeleteHandling.REWRITE, List.of(), Unwrap.PREFIX, List.of(), Unwrap.PREFIX);
  }

  static DecoderSettings settings(String type, boolean whole) {
    return DecoderSettings.DEFAULTS
        .withVersion(new VersionScheme.KafkaOffset())
        .withKeyColumns(List.of("k"))
        .withEncodings(Events.encodings("k*: " + type))
        .withWholeBefore(whole);
  }
}
