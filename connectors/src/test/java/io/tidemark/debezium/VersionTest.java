package io.tidemark.debezium;

import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.debezium.version.VersionScheme;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VersionTest {
  private static final String PG = "{\"connector\":\"postgresql\"";
  private static final String REMEDY =
      ". Debezium's PostgreSQL connector writes source.lsn and source.sequence since 1.6: upgrade it,"
          + " leave them in if a transform drops them, or use version: field:<path> or version:"
          + " kafka-offset";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "c | '\"lsn\":9,\"sequence\":\"[\\\"5\\\",\\\"9\\\"]\"' | 'Stream[5, 9, 0]'",
        "c | '\"lsn\":9,\"sequence\":\"[null,\\\"9\\\"]\"' | 'Opening[9, 9, 0]'",
        "c | '\"lsn\":9,\"commit_lsn\":12,\"sequence\":\"[\\\"5\\\",\\\"9\\\"]\"' | 'Stream[12, 9, 0]'",
        "c | '\"lsn\":9,\"commit_lsn\":12' | 'Stream[12, 9, 0]'",
        "r | '\"lsn\":9,\"snapshot\":\"first\",\"sequence\":\"[null,\\\"9\\\"]\"' | 'Snapshot[9, 9, 0]'",
        "r | '\"lsn\":9,\"snapshot\":true' | 'Snapshot[9, 9, 0]'",
        "r | '\"lsn\":9,\"snapshot\":null' | 'Snapshot[9, 9, 0]'",
        "r | '\"lsn\":9' | 'Snapshot[9, 9, 0]'",
        "c | '\"lsn\":9,\"snapshot\":\"last\",\"sequence\":\"[null,\\\"9\\\"]\"' | 'Opening[9, 9, 0]'",
        "c | '\"lsn\":9,\"snapshot\":\"true\",\"sequence\":\"[\\\"5\\\",\\\"9\\\"]\"' | 'Stream[5, 9, 0]'",
        "u | '\"lsn\":9,\"snapshot\":\"true\",\"sequence\":\"[\\\"5\\\",\\\"9\\\"]\"' | 'Stream[5, 9, 0]'",
        "u | '\"lsn\":9,\"snapshot\":false,\"sequence\":\"[\\\"5\\\",\\\"9\\\"]\"' | 'Stream[5, 9, 0]'",
        "r | '\"lsn\":null,\"snapshot\":\"incremental\",\"sequence\":\"[\\\"7\\\",\\\"6\\\"]\"' |"
            + " 'Incremental[7, 0, 0]'",
        "r | '\"lsn\":null,\"snapshot\":\"incremental\",\"sequence\":\"[null,\\\"6\\\"]\"' |"
            + " 'Incremental[6, 0, 0]'"
      })
  void postgresPositionIsCommitThenLsn(String op, String fields, String position) {
    assertThat(decode("auto", op, PG + "," + fields + "}")).startsWith("UPSERT {id=1} " + position);
  }

  @Test
  void orderInTheTransactionComesLast() {
    String value = envelope("c", "{\"id\":1}");
    value = value.replace("\"op\"", "\"transaction\":{\"id\":\"1:2\",\"total_order\":3},\"op\"");
    assertThat(
            text(
                decoder(DecoderSettings.DEFAULTS, "id*: long").decode(record("{\"id\":1}", value))))
        .startsWith("UPSERT {id=1} Stream[90, 100, 3]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'\"sequence\":\"[null,null]\"' | source.lsn is missing@",
        "'\"lsn\":null' | source.lsn is missing@",
        "'\"lsn\":5' | source.sequence is missing@",
        "'\"lsn\":-5,\"sequence\":\"[null,null]\"' | 'source.lsn: expected an integer of at least 0,"
            + " found a negative one'",
        "'\"lsn\":5,\"sequence\":\"5\"' | 'source.sequence: expected [\"<last commit lsn>\",\"<lsn>\"],"
            + " found a string of another form'",
        "'\"lsn\":5,\"sequence\":\"[\\\"\\\",null]\"' | 'source.sequence: expected [\"<last commit"
            + " lsn>\",\"<lsn>\"], found a string of another form'",
        "'\"lsn\":5,\"sequence\":\"[\\\"99999999999999999999\\\",null]\"' | 'source.sequence: expected"
            + " [\"<last commit lsn>\",\"<lsn>\"], found a string of another form'"
      })
  void aMissingPositionIsRefusedWithTheRemedy(String fields, String problem) {
    assertThat(decode("auto", "c", PG + "," + fields + "}"))
        .isEqualTo(problem.replace("@", REMEDY));
  }

  @Test
  void otherConnectorsAreRefusedWithTheSchemesThatWork() {
    String otherwise =
        ". Use version: field:<path> with a number that rises with every commit, or version:"
            + " kafka-offset";
    assertThat(decode("auto", "c", "{\"connector\":\"spanner\"}"))
        .isEqualTo(
            "version: auto works for connectors db2, informix, mariadb, mongodb, mysql, oracle,"
                + " postgresql, sqlserver, vitess; found \"spanner\""
                + otherwise);
    assertThat(decode("auto", "c", "{}"))
        .isEqualTo(
            "source.connector is missing, from which version: auto knows how positions compare"
                + otherwise);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "field:v | 7 | 'Given[7, 0, 0]'",
        "field:after.v | '[7, 8]' | 'Given[7, 8, 0]'",
        "field:v | '[7, 8, 9]' | 'Given[7, 8, 9]'",
        "field:source.n | 7 | 'Given[3, 0, 0]'"
      })
  void aFieldOfTheEventsIsTakenAsItIs(String scheme, String v, String position) {
    assertThat(field(scheme, "u", "{\"id\":1,\"v\":" + v + "}"))
        .startsWith("UPSERT {id=1")
        .contains(position);
  }

  @Test
  void aColumnIsReadFromBeforeInADelete() {
    assertThat(field("field:v", "d", "{\"id\":1,\"v\":7}"))
        .startsWith("DELETE {id=1} Given[7, 0, 0]");
    assertThat(field("field:v", "d", "{\"id\":1}"))
        .isEqualTo(
            "version: field:v expects an integer of at least 0 and below 2^63, or a list of up to"
                + " three, at before.v, found no such field (a delete has it only with REPLICA"
                + " IDENTITY FULL)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "null | found null",
        "-1 | found a number out of that range",
        "9223372036854775808 | found a number out of that range",
        "1.5 | found a fraction",
        "\"7\" | found a string",
        "[] | found an empty list",
        "'[1,2,3,4]' | found a list of more",
        "[null] | found null"
      })
  void anotherValueInTheFieldIsRefused(String v, String found) {
    assertThat(field("field:v", "u", "{\"id\":1,\"v\":" + v + "}"))
        .isEqualTo(
            "version: field:v expects an integer of at least 0 and below 2^63, or a list of up to"
                + " three, at after.v, "
                + found);
  }

  /** Any program may have written the source block of an event that carries its own version. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"billing\"",
        "[1, {\"ts_ms\": 2}]",
        "{\"connector\":7,\"lsn\":\"0/16B\",\"snapshot\":\"never\",\"ts_ms\":\"noon\"}",
        "{\"pos\":[1,{\"a\":2}],\"snapshot\":{\"a\":1},\"scn\":1.5,\"ts_us\":{\"ts_us\":3}}"
      })
  void aSourceThatNobodyReadsThePositionFromMayHaveAnyForm(String source) {
    String value =
        "{\"after\":{\"id\":1,\"v\":5},\"source\":"
            + source
            + ",\"transaction\":{\"total_order\":\"x\"},\"op\":\"u\",\"ts_ms\":4}";
    for (String scheme : List.of("kafka-offset", "field:v")) {
      DecoderSettings settings = DecoderSettings.DEFAULTS.withVersion(VersionScheme.parse(scheme));
      assertThat(
              text(decoder(settings, "id*: long", "v: long").decode(record("{\"id\":1}", value))))
          .isEqualTo(
              "UPSERT {id=1, v=5} "
                  + (scheme.equals("field:v") ? "Given[5" : "ByOffset[0")
                  + ", 0, 0] at 4000");
    }
    assertThat(
            text(
                decoder(DecoderSettings.DEFAULTS, "id*: long", "v: long")
                    .decode(record("{\"id\":1}", value))))
        .startsWith("source: ");
  }

  @Test
  void aVersionMayLieInTheSourceOfAnyProgram() {
    String value =
        "{\"after\":{\"id\":1},\"source\":{\"pos\":[7,8],\"ts_ms\":9,\"ts_us\":\"x\"},\"op\":\"u\"}";
    DecoderSettings settings =
        DecoderSettings.DEFAULTS.withVersion(VersionScheme.parse("field:source.pos"));
    assertThat(text(decoder(settings, "id*: long").decode(record("{\"id\":1}", value))))
        .isEqualTo("UPSERT {id=1} Given[7, 8, 0] at 9000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "kafka-offset", "field:v", "field:after.meta.v"})
  void schemesReadBackFromTheirText(String text) {
    assertThat(VersionScheme.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Auto", "field:", "field:a..b", "lsn"})
  void otherSchemesAreRefused(String text) {
    assertThatThrownBy(() -> VersionScheme.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "A version scheme is auto, kafka-offset or field:<path> (such as field:commit_version, a"
                + " column, or field:source.commit_version), got \""
                + text
                + "\"");
  }

  private static String decode(String scheme, String op, String source) {
    DecoderSettings settings = DecoderSettings.DEFAULTS.withVersion(VersionScheme.parse(scheme));
    return text(
        decoder(settings, "id*: long")
            .decode(record("{\"id\":1}", envelope(op, "{\"id\":1}", source))));
  }

  private static String field(String scheme, String op, String row) {
    DecoderSettings settings = DecoderSettings.DEFAULTS.withVersion(VersionScheme.parse(scheme));
    String type = row.contains("[") ? "list<long>" : row.contains("\"7\"") ? "string" : "long";
    type =
        row.contains("1.5")
            ? "double"
            : row.contains("9223372036854775808") ? "decimal(20,0)" : type;
    String rows = op.equals("d") ? "\"before\":" + row : "\"after\":" + row;
    String value = "{" + rows + ",\"source\":{\"n\":3},\"op\":\"" + op + "\"}";
    return text(decoder(settings, "id*: long", "v: " + type).decode(record("{\"id\":1}", value)));
  }
}
