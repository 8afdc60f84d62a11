package io.tidemark.debezium;

import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlatDecoderTest {
  private static final String KEY = "{\"id\":1}";
  private static final String ROW = "\"id\":1,\"name\":\"a\"";
  private static final String POSITION =
      "\"__source_connector\":\"postgresql\",\"__source_lsn\":100,"
          + "\"__source_sequence\":\"[\\\"90\\\",\\\"100\\\"]\",\"__source_ts_us\":7000000,"
          + "\"__source_snapshot\":null";
  private static final String CREATED = "{" + ROW + ",\"__op\":\"c\"," + POSITION + "}";
  private static final String AT = " Stream[90, 100, 0] at 7000000";
  private static final String REMEDY =
      remedy(",source.lsn,source.sequence,source.txId"); // of PostgreSQL
  private static final String UNKNOWN =
      remedy(
          " and the connector's position (of PostgreSQL source.lsn,source.sequence,source.txId)");
  private static final String DELETES =
      ". For deletes set delete.tombstone.handling.mode=rewrite, or the same list as add.headers,"
          + " in the transform and in kafka.unwrap";

  private static String remedy(String fields) {
    return ". ExtractNewRecordState writes a change's position only where it is told to: set add.fields"
        + " to op,source.connector,source.snapshot,source.ts_ms"
        + fields
        + ", or use version: kafka-offset";
  }

  @Test
  void theRowIsTheValueAndTheRestWasAdded() {
    assertThat(auto(CREATED)).isEqualTo("UPSERT {id=1, name=a}" + AT);
    assertThat(auto(CREATED.replace("\"c\"", "\"u\""))).isEqualTo("UPSERT {id=1, name=a}" + AT);
    assertThat(auto("{" + ROW + ",\"__op\":\"c\",\"__deleted\":\"false\"," + POSITION + "}"))
        .isEqualTo("UPSERT {id=1, name=a}" + AT);
  }

  @Test
  void aSnapshotsRowsAreToldByWhatWasAdded() {
    String snapshot = CREATED.replace("\"c\"", "\"r\"");
    assertThat(
            auto(snapshot.replace("\"__source_snapshot\":null", "\"__source_snapshot\":\"first\"")))
        .isEqualTo("UPSERT {id=1, name=a} Snapshot[100, 100, 0] at 7000000");
    assertThat(
            auto(
                snapshot.replace(
                    "\"__source_snapshot\":null", "\"__source_snapshot\":\"incremental\"")))
        .isEqualTo("UPSERT {id=1, name=a} Incremental[90, 0, 0] at 7000000");
    assertThat(auto(snapshot.replace(",\"__source_snapshot\":null", "")))
        .isEqualTo(
            "source.snapshot is missing, which tells the kind of a snapshot's rows" + REMEDY);
    assertThat(auto(CREATED.replace("\"__op\":\"c\",", "")))
        .isEqualTo("op is missing, which tells a snapshot's rows from others" + REMEDY);
  }

  @Test
  void aChangeWithoutItsPositionIsRefusedWithTheRemedy() {
    assertThat(auto("{" + ROW + ",\"__op\":\"c\",\"__connector\":\"postgresql\"}"))
        .startsWith("source.lsn is missing")
        .endsWith(REMEDY);
    assertThat(auto("{" + ROW + ",\"__op\":\"c\"}"))
        .startsWith("source.connector is missing")
        .endsWith(UNKNOWN);
    assertThat(auto("null")).startsWith("source.connector is missing").endsWith(UNKNOWN + DELETES);
    assertThat(auto(null)).startsWith("source.connector is missing").endsWith(UNKNOWN + DELETES);
    assertThat(auto("{\"schema\":{\"type\":\"struct\",\"fields\":[]},\"payload\":null}"))
        .startsWith("source.connector is missing")
        .endsWith(UNKNOWN + DELETES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mysql | source.file,source.pos,transaction.total_order",
        "mariadb | source.file,source.pos,transaction.total_order",
        "sqlserver | source.commit_lsn,source.change_lsn,source.event_serial_no",
        "oracle | source.scn,source.commit_scn,source.txSeq,source.ssn",
        "db2 | source.commit_lsn,source.change_lsn",
        "informix | source.commit_lsn,source.change_lsn",
        "vitess | transaction.transaction_epoch,transaction.transaction_rank,transaction.total_order"
      })
  void theRemedyNamesTheConnectorsOwnFields(String connector, String fields) {
    assertThat(auto("{" + ROW + ",\"__op\":\"c\",\"__connector\":\"" + connector + "\"}"))
        .endsWith(remedy("," + fields));
  }

  /** The record's own time is new in what a connector sends again. */
  @Test
  void aChangeWithoutItsTimeIsRefusedWithTheRemedy() {
    String untimed = CREATED.replace("\"__source_ts_us\":7000000,", "");
    for (String value : List.of(untimed, untimed.replace("\"__op\"", "\"__ts_ms\":9,\"__op\""))) {
      assertThat(auto(value))
          .isEqualTo(
              "source.ts_ms is missing, which tells a copy from positions that started over"
                  + REMEDY);
    }
  }

  @Test
  void aDeleteWithoutRowTakesItsPositionFromHeaders() {
    for (String value : new String[] {null, "null", "{\"schema\":{},\"payload\":null}"}) {
      // As Connect's default converter of headers writes them, and as its JSON converter does.
      Map<String, String> plain =
          Map.of(
              "__op", "d",
              "__source_lsn", "100",
              "__source_sequence", "[\"90\",\"100\"]",
              "__source_ts_us", "7000000",
              "__debezium.context.connectorName", "postgresql");
      Map<String, String> json =
          Map.of(
              "__op", "\"d\"",
              "__source_connector", "{\"schema\":{\"type\":\"string\"},\"payload\":\"postgresql\"}",
              "__source_lsn", "100",
              "__source_sequence", "\"[\\\"90\\\",\\\"100\\\"]\"",
              "__source_ts_us", "7000000");
      assertThat(decode(DeleteHandling.TOMBSTONE, value, plain)).isEqualTo("DELETE {id=1}" + AT);
      assertThat(decode(DeleteHandling.DELETE_TO_TOMBSTONE, value, json))
          .isEqualTo("DELETE {id=1}" + AT);
    }
  }

  /** Other programs write headers too, whose names and values are their own. */
  @Test
  void headersThatAreNotListedAreNotRead() {
    Map<String, byte[]> headers =
        Map.of(
            "__trace", "{not JSON".getBytes(UTF_8),
            "__source_lsn", "{\"x\":1}".getBytes(UTF_8),
            "__op", "d".getBytes(UTF_8));
    for (String value : new String[] {CREATED, null}) {
      RawRecord plain = record(KEY, value);
      RawRecord traced =
          new RawRecord(plain.at(), plain.timestampMillis(), plain.key(), plain.value(), headers);
      ChangeDecoder decoder = decoder(Unwrap.DEFAULTS, new VersionScheme.Auto());
      assertThat(text(decoder.decode(traced))).isEqualTo(text(decoder.decode(plain)));
    }
  }

  @Test
  void aRewrittenDeleteIsToldByItsFieldAndItsInventedValuesAreNotRead() {
    String row = "\"id\":1,\"name\":[\"no name at all\"]";
    for (String deleted : List.of("\"true\"", "true")) {
      String value = "{" + row + ",\"__deleted\":" + deleted + ",\"__op\":\"d\"," + POSITION + "}";
      assertThat(decode(DeleteHandling.REWRITE, value, Map.of())).isEqualTo("DELETE {id=1}" + AT);
    }
    assertThat(
            decode(
                DeleteHandling.REWRITE, "{" + row + ",\"__op\":\"d\"," + POSITION + "}", Map.of()))
        .isEqualTo("DELETE {id=1}" + AT);
  }

  /** Debezium's own tombstone, to which the transform adds the header of op alone. */
  @Test
  void theTombstoneAfterARewrittenDeleteSaysNothing() {
    for (Map<String, String> headers : List.of(Map.<String, String>of(), Map.of("__op", "d"))) {
      assertThat(decode(DeleteHandling.REWRITE_WITH_TOMBSTONE, null, headers))
          .isEqualTo("TOMBSTONE");
    }
  }

  /** Each was a delete that would have been passed over. */
  @Test
  void aRecordWithoutRowThatTheModeDoesNotWriteIsRefused() {
    String remedy =
        ". Set kafka.unwrap.delete.tombstone.handling.mode to what the transform has; where that was"
            + " changed on the way, tombstone reads all of them";
    for (String value : new String[] {null, "null", "{\"schema\":{},\"payload\":null}"}) {
      assertThat(decode(DeleteHandling.REWRITE, value, Map.of("__op", "d")))
          .isEqualTo(
              "found a record without a row, which delete.tombstone.handling.mode=rewrite does not"
                  + " write. With tombstone (the transform's default) and delete-to-tombstone it is a"
                  + " delete, with rewrite-with-tombstone it says nothing"
                  + remedy);
      // A converter makes JSON of the transform's null, which has a schema, and not of a tombstone.
      Map<String, String> headers = value == null ? Map.of("__source_lsn", "100") : Map.of();
      assertThat(decode(DeleteHandling.REWRITE_WITH_TOMBSTONE, value, headers))
          .isEqualTo(
              "found a record without a row"
                  + (value == null ? " and with a change's headers" : "")
                  + ", which delete.tombstone.handling.mode=rewrite-with-tombstone does not write. With"
                  + " tombstone (the transform's default) and delete-to-tombstone it is a delete, which"
                  + " would be passed over"
                  + remedy);
    }
  }

  @Test
  void tombstoneReadsWhatEachModeWrites() {
    ChangeDecoder decoder = decoder(Unwrap.DEFAULTS, new VersionScheme.KafkaOffset());
    for (String deleted : new String[] {null, "null", "{" + ROW + ",\"__deleted\":\"true\"}"}) {
      assertThat(text(decoder.decode(record(KEY, deleted)))).startsWith("DELETE {id=1}");
    }
    String kept = "{" + ROW + ",\"__deleted\":\"false\"}";
    assertThat(text(decoder.decode(record(KEY, kept)))).startsWith("UPSERT {id=1, name=a}");
  }

  @Test
  void namesMayBeListedRenamedAndPrefixedOtherwise() {
    Unwrap unwrap =
        new Unwrap(
            DeleteHandling.REWRITE,
            List.of(
                "op:kind", "connector", "source.lsn:pos", "sequence", "source.ts_us", "snapshot"),
            "x-",
            List.of(),
            "__");
    String value =
        "{"
            + ROW
            + ",\"x-kind\":\"c\",\"x-connector\":\"postgresql\",\"x-pos\":100,"
            + "\"x-sequence\":\"[\\\"90\\\",\\\"100\\\"]\",\"x-source_ts_us\":7000000,\"__deleted\":\"false\"}";

    assertThat(text(decoder(unwrap, new VersionScheme.Auto()).decode(record(KEY, value))))
        .isEqualTo("UPSERT {id=1, name=a}" + AT);
    // Where names are listed, no other is taken for an added one.
    assertThat(
            text(
                decoder(unwrap, new VersionScheme.Auto())
                    .decode(record(KEY, value.replace("\"id\":1,", "\"id\":1,\"x-y\":1,")))))
        .isEqualTo("column \"x-y\": the table has no such column");
  }

  @Test
  void whatCannotBeToldApartIsRefused() {
    assertThatThrownBy(
            () -> new Unwrap(DeleteHandling.DROP, List.of(), "", List.of(), Unwrap.PREFIX))
        .hasMessage("add.fields must be given where its prefix is empty");
    assertThatThrownBy(
            () -> new Unwrap(DeleteHandling.DROP, List.of("op", "op"), "", List.of(), "__"))
        .hasMessage("add.fields adds a name twice: op");
    assertThatThrownBy(() -> new Unwrap(DeleteHandling.DROP, List.of("a.b.c"), "", List.of(), "_"))
        .hasMessage("Expected [struct.]field[:name] in add.fields and add.headers, found a.b.c");
  }

  @Test
  void theOffsetOrAFieldMayBeTheVersion() {
    ChangeDecoder offset = decoder(Unwrap.DEFAULTS, new VersionScheme.KafkaOffset());
    assertThat(text(offset.decode(record(KEY, "{" + ROW + "}"))))
        .isEqualTo("UPSERT {id=1, name=a} ByOffset[0, 0, 0] at 1000000");
    assertThat(text(offset.decode(record(KEY, "null"))))
        .isEqualTo("DELETE {id=1} ByOffset[0, 0, 0] at 1000000");

    ChangeDecoder field = decoder(Unwrap.DEFAULTS, VersionScheme.parse("field:__source_lsn"));
    assertThat(text(field.decode(record(KEY, CREATED))))
        .isEqualTo("UPSERT {id=1, name=a} Given[100, 0, 0] at 7000000");
    assertThat(text(field.decode(record(KEY, null))))
        .startsWith("version: field:__source_lsn expects an integer")
        .endsWith(DELETES);
    // The transform adds no columns.
    ChangeDecoder column = decoder(Unwrap.DEFAULTS, VersionScheme.parse("field:version"));
    assertThat(text(column.decode(record(KEY, CREATED))))
        .endsWith(" at version, found no such field");
    assertThat(text(column.decode(record(KEY, null))))
        .endsWith(
            " at version, found null. A delete without its row has no columns: set"
                + " delete.tombstone.handling.mode=rewrite in the transform and in kafka.unwrap");
  }

  @Test
  void messagesOfAnotherShapeAreNamed() {
    assertThat(auto("{\"before\":null,\"after\":{\"id\":1},\"source\":{},\"op\":\"c\"}"))
        .isEqualTo(
            "expected a row, found Debezium's envelope: set kafka.format to debezium-json or"
                + " debezium-avro");
    assertThat(auto("{\"ts_ms\":1}")).isEqualTo("HEARTBEAT");
    assertThat(auto("{\"databaseName\":\"x\",\"ddl\":\"x\"}")).isEqualTo("SCHEMA_CHANGE");
    assertThat(auto("{\"nonsense\":1}"))
        .isEqualTo("expected a row with columns of the table, found none of them");
    assertThat(auto("[1]")).isEqualTo("expected a row as an object, found a list");
    assertThat(auto("{\"id\":2,\"name\":\"a\",\"__op\":\"c\"," + POSITION + "}"))
        .isEqualTo("the message key is not the key of the row");
    assertThat(auto("{\"id\":1,\"other\":\"a\",\"__op\":\"c\"," + POSITION + "}"))
        .isEqualTo("column \"other\": the table has no such column");
  }

  @Test
  void inSeveralPartitionsTheMessageKeyHasNoColumnThatTheRowsKeyLacks() {
    Unwrap rewrite =
        new Unwrap(DeleteHandling.REWRITE, List.of(), Unwrap.PREFIX, List.of(), Unwrap.PREFIX);
    RowShape shape = Events.shape("id: long", "name*: string");
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withFormat(new JsonFormat(), rewrite)
            .withVersion(new VersionScheme.KafkaOffset())
            .withKeyColumns(List.of("name"))
            .withSeveralPartitions(true);
    ChangeDecoder decoder = ChangeDecoder.of(shape, settings, new TextRow(shape));
    for (String deleted : List.of("false", "true")) {
      String value = "{" + ROW + ",\"__deleted\":\"" + deleted + "\"}";
      assertThat(text(decoder.decode(record(KEY, value))))
          .startsWith(
              "message key: expected no other columns than those of the route's key, name, ");
      assertThat(decoder.decode(record("{\"name\":\"a\"}", value)))
          .isInstanceOf(DecodeResult.Decoded.class);
    }
  }

  private static String auto(@Nullable String value) {
    return decode(DeleteHandling.TOMBSTONE, value, Map.of());
  }

  private static String decode(
      DeleteHandling deletes, @Nullable String value, Map<String, String> headers) {
    List<String> listed =
        List.of("op", "source.connector", "source.lsn", "source.sequence", "source.ts_us");
    Unwrap unwrap = new Unwrap(deletes, List.of(), "__", listed, "__");
    Map<String, byte[]> bytes = new HashMap<>();
    headers.forEach((name, text) -> bytes.put(name, text.getBytes(UTF_8)));
    RawRecord plain = record(KEY, value);
    return text(
        decoder(unwrap, new VersionScheme.Auto())
            .decode(
                new RawRecord(
                    plain.at(), plain.timestampMillis(), plain.key(), plain.value(), bytes)));
  }

  private static ChangeDecoder decoder(Unwrap unwrap, VersionScheme version) {
    RowShape shape = Events.shape("id*: long", "name: string");
    return ChangeDecoder.of(
        shape,
        DecoderSettings.DEFAULTS.withFormat(new JsonFormat(), unwrap).withVersion(version),
        new TextRow(shape));
  }
}
