package io.tidemark.debezium;

import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.shape;
import static io.tidemark.debezium.Events.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.ShapeResult.NotAChange;
import io.tidemark.debezium.ShapeResult.Refused;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Documents of MongoDB, as Debezium's documentation and code have them. */
class DocumentTest {
  private static final String[] COLUMNS = {"_id*: string", "document: string"};
  private static final String NEEDED =
      "A collection's table has two columns, _id: string, which is its key, and document: string;"
          + " without routes.key and routes.columns it is created so";
  private static final String AT = " ByOffset[0, 0, 0] at 7000000";

  private final EnvelopeDecoder decoder = decoder(DecoderSettings.DEFAULTS, COLUMNS);

  @ParameterizedTest
  @CsvSource({"c,false", "u,false", "r,true", "r,incremental"})
  void aDocumentIsARow(String op, String snapshot) {
    String after = "{\"_id\": {\"$numberLong\": \"1004\"},\"name\": \"Anne \\\"A\\\" ä\"}";
    String source = source().replace("false", snapshot);
    assertThat(decode("1004", value(op, null, after, source)))
        .isEqualTo("UPSERT {_id=1004, document=" + after + "}" + AT);
    // A state before is nobody's business.
    assertThat(decode("1004", value(op, "{\"_id\": 7}", after, source)))
        .isEqualTo("UPSERT {_id=1004, document=" + after + "}" + AT);
  }

  /** Which a running job must know where partitions are added. */
  @Test
  void documentsAreOrderedByTheirOffsets() {
    RowShape other = new RowShape(DocumentTable.SHAPE.columns().subList(0, 1));
    assertThat(ChangeDecoder.isOrderedByOffset(new VersionScheme.Auto(), DocumentTable.SHAPE))
        .isTrue();
    assertThat(ChangeDecoder.isOrderedByOffset(new VersionScheme.Auto(), other)).isFalse();
    assertThat(ChangeDecoder.isOrderedByOffset(new VersionScheme.KafkaOffset(), other)).isTrue();
  }

  @Test
  void aDeleteNamesItsKeyAlone() {
    assertThat(decode("1004", value("d", null, null, source())))
        .isEqualTo("DELETE {_id=1004}" + AT);
    assertThat(decode("1004", value("d", "{\"_id\": 1004}", null, source())))
        .isEqualTo("DELETE {_id=1004}" + AT);
    assertThat(text(decoder.decode(record(key("1004"), null)))).isEqualTo("TOMBSTONE");
  }

  @Test
  void differentIdsAreDifferentKeys() {
    String hex = "596e275826f08b2730779e1f";
    List<String> ids =
        List.of(
            "{\"$oid\": \"" + hex + "\"}",
            '"' + hex + '"',
            "\"{\\\"$oid\\\": \\\"" + hex + "\\\"}\"",
            "123456789012345678",
            "\"123456789012345678\"",
            "1.2345678901234568E23",
            "{\"$numberDecimal\": \"123456789012345678901234\"}",
            "{\"$oid\": \"123456789012345678901234\"}",
            "\"123456789012345678901234\"",
            "true",
            "\"true\"",
            "null",
            "\"null\"",
            "\"\"",
            "{\"$binary\": {\"base64\": \"ASNFZ4mrze8BI0VniavN7w==\", \"subType\": \"04\"}}",
            "{\"a\": {\"$oid\": \"" + hex + "\"}}",
            "{\"$date\": \"2024-02-29T00:00:00Z\"}");
    Set<Object> keys = new HashSet<>();
    for (String id : ids) {
      DecodeResult result =
          decoder.decode(record(key(id), value("c", null, "{\"_id\": 1}", source())));
      assertThat(result).isInstanceOf(Decoded.class);
      assertThat(keys.add(((Decoded) result).key())).as(id).isTrue();
    }
    assertThat(decode(ids.get(0), value("d", null, null, source())))
        .isEqualTo("DELETE {_id=" + hex + "}" + AT);
    // An older writer of the same id.
    assertThat(decode("{ \"$oid\" : \"" + hex + "\" }", value("d", null, null, source())))
        .isEqualTo("DELETE {_id=" + hex + "}" + AT);
  }

  @Test
  void anUpdateWithoutItsDocumentIsRefusedOrPassedOver() {
    String update = value("u", null, null, source());
    String before = value("u", "{\"_id\": 1}", null, source());

    assertThat(decode("1", update))
        .isEqualTo(decode("1", before))
        .startsWith(
            "op u: expected a document in after, found none. If the connector's capture.mode")
        .endsWith("set missing-document: ignore in the route");
    EnvelopeDecoder lenient =
        decoder(DecoderSettings.DEFAULTS.withOnMissingDocument(OnMissingDocument.IGNORE), COLUMNS);
    assertThat(text(lenient.decode(record(key("1"), update)))).isEqualTo("MISSING_DOCUMENT");
    assertThat(text(lenient.decode(record(key("1"), value("c", null, null, source())))))
        .isEqualTo("op c: expected a document in after, found none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'{\"id\":1}' | 'message key: expected the document''s id as a text named id, found another"
            + " key'",
        "'{\"_id\":\"1\"}' | 'message key: expected the document''s id as a text named id, found"
            + " another key'",
        "'\"1\"' | 'message key: expected the document''s id as a text named id, found another key'",
        "'{\"id\":\"1\",\"b\":2}' | 'message key: expected the document''s id alone, found more in"
            + " the key'",
        "'{\"id\":\"1\"} 2' | 'message key: expected the end of the JSON text, found more after it'",
        "'{\"id\":\"1' | 'message key: JSON that ends early'",
        "'{\"id\":\"\\ud800\"}' | 'message key: expected Unicode text, found half a surrogate pair'"
      })
  void aKeyOfAnotherFormIsRefused(String key, String problem) {
    String value = value("d", null, null, source());
    assertThat(text(decoder.decode(record(key, value)))).isEqualTo(problem);
    assertThat(text(decoder.decode(record(null, value))))
        .isEqualTo("the message has no key, expected the document's id in it");
  }

  @Test
  void aTableOfOtherColumnsIsRefused() {
    EnvelopeDecoder other = decoder(DecoderSettings.DEFAULTS, "id*: string", "document: string");
    assertThat(text(other.decode(record(key("1"), value("c", null, "{}", source())))))
        .isEqualTo(
            "after: expected an object, found a string, as the MongoDB connector writes a document. "
                + NEEDED);
    assertThat(text(other.decode(record(key("1"), value("d", null, null, source())))))
        .isEqualTo("found a document of MongoDB. " + NEEDED);
    assertThat(decode("1", value("c", null, "1", source())))
        .isEqualTo("after: expected a document as JSON text, found another string");
    assertThat(decode("1", value("c", null, "{}", source().replace("mongodb", "mysql"))))
        .isEqualTo("op c: expected a row in after, found a document, which MongoDB alone sends");
    String expanded = value("u", null, null, source());
    expanded = expanded.replace("\"after\":null", "\"after\":{\"_id\":\"1\",\"document\":\"{}\"}");
    assertThat(decode("1", expanded))
        .isEqualTo("after: expected a document of MongoDB as a string, found an object");
  }

  @Test
  void theColumnsOfACollectionNeedNoSchema() {
    RawRecord change = record(key("1"), value("d", null, null, source()));
    Discovered found = (Discovered) new ShapeReader(List.of(), Map.of()).read(change);
    assertThat(found.shape()).isEqualTo(shape(COLUMNS));
    assertThat(found.spec("_id") + " " + found.spec("document")).isEqualTo("string string");

    Map<String, ColumnSpec> others = Map.of("name", ColumnSpec.parse("string"));
    assertThat(new ShapeReader(List.of(), others).read(change))
        .isEqualTo(new Refused("found a document of MongoDB. " + NEEDED));
    assertThat(new ShapeReader(List.of("name"), Map.of()).read(change))
        .isEqualTo(new Refused("found a document of MongoDB. " + NEEDED));
    assertThat(new ShapeReader(List.of(), others).keyNames(change)).containsExactly("_id");
    assertThat(new ShapeReader(List.of(), Map.of()).read(record(key("1"), null)))
        .isEqualTo(new NotAChange());
  }

  @Test
  void flattenedDocumentsAreRefusedByName() {
    String refusal = "found a document of MongoDB that ExtractNewDocumentState flattened";
    RowShape shape = shape("_id*: string", "name: string");
    FlatDecoder flat =
        new FlatDecoder(
            shape,
            DecoderSettings.DEFAULTS
                .withFormat(new JsonFormat(), Unwrap.DEFAULTS)
                .withKeyColumns(List.of("_id")),
            new TextRow(shape));
    ShapeReader shapes =
        new ShapeReader(List.of("_id"), Map.of(), new JsonFormat(), Unwrap.DEFAULTS);
    RawRecord added =
        record(
            "{\"id\":\"1\"}", "{\"_id\":\"1\",\"__op\":\"c\",\"__source_connector\":\"mongodb\"}");

    List<RawRecord> rows = new ArrayList<>(List.of(added));
    List<RawRecord> deletes = new ArrayList<>();
    // As the simple header converter, and the JSON one without and with schemas, write it.
    for (String header :
        List.of(
            "mongodb",
            "\"mongodb\"",
            "{\"schema\":{\"type\":\"string\",\"optional\":false},\"payload\":\"mongodb\"}")) {
      rows.add(withHeader(header, record("{\"id\":\"1\"}", "{\"_id\":\"1\"}")));
      deletes.add(withHeader(header, record("{\"id\":\"1\"}", null)));
    }

    assertThat(Stream.concat(rows.stream(), deletes.stream()))
        .allSatisfy(record -> assertThat(text(flat.decode(record))).startsWith(refusal));
    assertThat(rows)
        .allSatisfy(
            record -> assertThat(((Refused) shapes.read(record)).reason()).startsWith(refusal));
    assertThat(text(flat.decode(withHeader("{\"sch", record("{\"id\":1}", "{\"_id\":\"1\"}")))))
        .startsWith("header __debezium.context.connectorName: ");
  }

  private static RawRecord withHeader(String connector, RawRecord record) {
    return new RawRecord(
        new SourceOffset("t", 0, 5),
        1000,
        record.key(),
        record.value(),
        Map.of("__debezium.context.connectorName", connector.getBytes(UTF_8)));
  }

  private String decode(String id, String value) {
    return text(decoder.decode(record(key(id), value)));
  }

  private static String key(String id) {
    return "{\"id\":" + quoted(id) + "}";
  }

  private static String source() {
    return "{\"connector\":\"mongodb\",\"snapshot\":\"false\",\"ts_ms\":7000,\"ts_us\":7000000,"
        + "\"db\":\"inventory\",\"collection\":\"customers\",\"ord\":31,\"lsid\":null,"
        + "\"txnNumber\":null,\"wallTime\":null}";
  }

  private static String value(String op, String before, String after, String source) {
    return "{\"before\":"
        + quoted(before)
        + ",\"after\":"
        + quoted(after)
        + ",\"updateDescription\":"
        + (op.equals("u") ? "{\"removedFields\":null,\"updatedFields\":\"{}\"}" : "null")
        + ",\"source\":"
        + source
        + ",\"op\":\""
        + op
        + "\",\"ts_ms\":8000,\"transaction\":null}";
  }

  private static String quoted(String text) {
    return text == null ? "null" : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
