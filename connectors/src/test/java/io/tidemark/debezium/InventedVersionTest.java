package io.tidemark.debezium;

import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.Position;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Ignored;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Versions in columns, where a delete has them from a row that the source did not send: {@code
 * REPLICA IDENTITY DEFAULT}.
 */
class InventedVersionTest {
  private static final String KEY = "{\"id\":1}";
  private static final String FOUND = " found 0 or the column's default at ";

  /** Recordings: {@code v int not null}, and {@code qty int default 1} where a schema says so. */
  @ParameterizedTest
  @CsvSource({"ACCOUNTS,v", "BASIC_SCHEMAS,qty", "BASIC_AVRO,qty"})
  void noRecordedDeleteGetsAnInventedVersion(CorpusTable table, String column) {
    ChangeDecoder decoder = decoder(table, column, false);
    ChangeDecoder declared = decoder(table, column, true);
    int deletes = 0;
    for (RawRecord record : table.records()) {
      DecodeResult result = decoder.decode(record);
      if (result instanceof Malformed refused) {
        deletes++;
        assertThat(refused.problem())
            .startsWith("version: field:" + column + FOUND + "before." + column + " of a delete, ");
        // Whoever says that rows are whole is believed.
        assertThat(text(declared.decode(record))).startsWith("DELETE ");
      } else {
        assertThat(result instanceof Ignored || text(result).startsWith("UPSERT ")).isTrue();
      }
    }
    assertThat(deletes).isGreaterThan(10);
  }

  /** Without a schema nobody knows that 1 is the column's default: docs/sources.md says so. */
  @Test
  void aDefaultIsNotKnownWithoutSchema() {
    ChangeDecoder decoder = decoder(CorpusTable.BASIC, "qty", false);
    Set<Position> versions = new HashSet<>();
    for (RawRecord record : CorpusTable.BASIC.records()) {
      if (decoder.decode(record) instanceof Decoded delete && text(delete).startsWith("DELETE ")) {
        versions.add(delete.source().position());
      }
    }
    assertThat(versions).containsExactly(new Position(1, 0, 0));
  }

  private static ChangeDecoder decoder(CorpusTable table, String column, boolean whole) {
    RowShape shape = table.shape();
    DecoderSettings settings =
        table.settings().withVersion(VersionScheme.parse("field:" + column)).withWholeBefore(whole);
    return ChangeDecoder.of(shape, settings, new TextRow(shape));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "field:v | postgresql | 0 | refused",
        "field:before.v | postgresql | 0 | refused",
        "field:v | postgresql | [0,0] | refused",
        "field:v | oracle | 0 | refused",
        "field:v | billing | 0 | refused",
        "field:v | postgresql | 1 | taken",
        "field:v | postgresql | [0,1] | taken",
        // Their deletes are whole; the source's own field is no column of the row.
        "field:v | mysql | 0 | taken",
        "field:v | mariadb | 0 | taken",
        "field:v | sqlserver | 0 | taken",
        "field:source.n | postgresql | 7 | taken"
      })
  void onlyWhatMayBeInventedIsRefused(String scheme, String connector, String v, String expected) {
    String value =
        "{\"before\":{\"id\":1,\"v\":%s},\"source\":{\"connector\":\"%s\",\"n\":0},\"op\":\"d\"}"
            .formatted(v, connector);
    assertThat(enveloped(scheme, value))
        .startsWith(expected.equals("taken") ? "DELETE {id=1}" : "version: " + scheme + FOUND);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "5 | 5 | refused",
        "5 | 6 | taken",
        "5 | 0 | refused",
        "'[5,6]' | '[5,6]' | refused",
        "'[5,6]' | '[5,7]' | taken"
      })
  void theDefaultInTheSchemaMayBeInvented(String byDefault, String v, String expected) {
    String row =
        """
        {"field":"%s","type":"struct","fields":[{"field":"id","type":"int64"},\
        {"field":"v","type":"int64","default":%s}]}""";
    String message =
        """
        {"schema":{"type":"struct","fields":[%s,%s]},"payload":{"before":{"id":1,"v":%s},"op":"d",\
        "source":{"connector":"postgresql"}}}"""
            .formatted(row.formatted("before", byDefault), row.formatted("after", byDefault), v);
    assertThat(enveloped("field:v", message))
        .startsWith(expected.equals("taken") ? "DELETE {id=1}" : "version: field:v" + FOUND);
  }

  @Test
  void aRewrittenDeleteIsNoBetter() {
    String row = "\"id\":1,\"v\":0,\"__n\":0,\"__deleted\":\"";
    assertThat(flat("field:v", "{" + row + "true\"}"))
        .startsWith("version: field:v" + FOUND + "v")
        .endsWith("before: full in the route");
    assertThat(flat("field:v", "{" + row + "false\"}")).startsWith("UPSERT {id=1, v=0}");
    assertThat(flat("field:v", "{" + row + "true\",\"__source_connector\":\"mysql\"}"))
        .startsWith("DELETE {id=1}");
    // What the transform added is the envelope's.
    assertThat(flat("field:__n", "{" + row + "true\"}")).startsWith("DELETE {id=1}");
    String schema =
        """
        {"schema":{"type":"struct","fields":[{"field":"id","type":"int64"},\
        {"field":"v","type":"int32","default":9},{"field":"__deleted","type":"string"}]},\
        "payload":{"id":1,"v":%d,"__deleted":"true"}}""";
    assertThat(flat("field:v", schema.formatted(9))).startsWith("version: field:v" + FOUND + "v");
    assertThat(flat("field:v", schema.formatted(8))).startsWith("DELETE {id=1}");
  }

  @Test
  void aDeleteHasNoAfter() {
    String delete = "{\"before\":{\"id\":1,\"v\":7},\"after\":null,\"op\":\"d\"}";
    assertThat(enveloped("field:after.v", delete))
        .endsWith(
            "at after.v, found null (no delete has after: field:<column> takes it from before there)");
  }

  private static String enveloped(String scheme, String value) {
    String type = value.contains("\"v\":[") ? "list<long>" : "long";
    DecoderSettings settings = DecoderSettings.DEFAULTS.withVersion(VersionScheme.parse(scheme));
    return text(Events.decoder(settings, "id*: long", "v: " + type).decode(record(KEY, value)));
  }

  private static String flat(String scheme, String value) {
    RowShape shape = Events.shape("id*: long", "v: long");
    Unwrap rewrite =
        new Unwrap(
            Unwrap.DeleteHandling.REWRITE, List.of(), Unwrap.PREFIX, List.of(), Unwrap.PREFIX);
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withVersion(VersionScheme.parse(scheme))
            .withFormat(new JsonFormat(), rewrite);
    return text(ChangeDecoder.of(shape, settings, new TextRow(shape)).decode(record(KEY, value)));
  }
}
