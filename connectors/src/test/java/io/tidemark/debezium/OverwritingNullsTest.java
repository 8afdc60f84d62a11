package io.tidemark.debezium;

import static io.tidemark.debezium.Events.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.corpus.Corpus;
import io.tidemark.corpus.Registries;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.value.ColumnSpec;
import io.tidemark.debezium.value.NoPlaceholder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverwritingNullsTest {
  private static final String KEY = "{\"id\":1}";
  private static final String FIELD = "{%s,\"optional\":true,\"field\":\"c\"}";
  private static final String INT16S = FIELD.formatted(array("\"type\":\"int16\""));
  private static final String NOTE = "{\"type\":\"string\",\"optional\":%s,\"field\":\"note\"%s}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'\"type\":\"int16\"' | smallint[]",
        "'\"type\":\"double\"' | 'double precision[]'",
        "'\"type\":\"boolean\"' | boolean[]",
        "'\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\"' | numeric[]",
        "'\"type\":\"struct\",\"name\":\"io.debezium.data.VariableScaleDecimal\"' | numeric[]",
        "'\"type\":\"int32\",\"name\":\"org.apache.kafka.connect.data.Date\"' | date[]",
        "'\"type\":\"string\",\"name\":\"io.debezium.time.IsoDate\"' | date[]",
        "'\"type\":\"string\",\"name\":\"io.debezium.data.Enum\"' | enum[]",
        "'\"type\":\"map\"' | hstore[]",
        "'\"type\":\"int32\"' | ",
        "'\"type\":\"int64\"' | ",
        "'\"type\":\"string\"' | ",
        "'\"type\":\"bytes\"' | ",
        "'\"type\":\"int32\",\"name\":\"io.debezium.time.Date\"' | ",
        "'\"type\":\"string\",\"name\":\"io.debezium.data.Uuid\"' | ",
        "'\"type\":\"string\",\"name\":\"io.debezium.data.Json\"' | "
      })
  void arraysAreToldByTheirElements(String element, @Nullable String type) {
    assertThat(columns(FIELD.formatted(array(element))))
        .isEqualTo(type == null ? Map.of() : Map.of("c", List.of(type)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'\"type\":\"array\",\"items\":{\"type\":\"double\"},\"name\":\"io.debezium.data.DoubleVector\"'"
            + " | vector",
        "'\"type\":\"struct\",\"name\":\"io.debezium.data.geometry.Geometry\"' | geometry;path;polygon",
        "'\"type\":\"struct\",\"name\":\"io.debezium.data.geometry.Point\"' | ",
        "'\"type\":\"bytes\",\"name\":\"io.debezium.data.Bits\",\"parameters\":{\"length\":\"129\"}' |"
            + " bit varying;bit(n)",
        "'\"type\":\"bytes\",\"name\":\"io.debezium.data.Bits\",\"parameters\":{\"length\":\"128\"}' | ",
        "'\"type\":\"struct\",\"name\":\"io.debezium.data.VariableScaleDecimal\"' | ",
        "'\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\"' | ",
        "'\"type\":\"string\",\"name\":\"io.debezium.data.Json\"' | "
      })
  void otherTypesByTheirNames(String schema, @Nullable String types) {
    List<String> expected = types == null ? List.of() : List.of(types.split(";"));
    assertThat(columns(FIELD.formatted(schema)).getOrDefault("c", List.of())).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "list<boolean> | boolean[]",
        "list<float> | real[]",
        "list<double> | double precision[]",
        "list<decimal(10, 2)> | numeric[]",
        "list<decimal(10, 2, text)> | numeric[]",
        "list<string(decimal)> | numeric[]",
        "list<string(decimal, 3)> | numeric[]",
        "list<time(millis)> | time[]",
        "list<time(iso)> | time[]",
        "list<timestamp(nanos)> | timestamp[]",
        "list<timestamptz> | timestamptz[]",
        "list<date(iso)> | date[]",
        "list<map<string, string>> | hstore[]",
        "'list<struct<wkb: binary, srid: int>>' | geometry[]",
        "'struct<wkb: binary, srid: int>' | geometry",
        "'struct<x: double, y: double, wkb: binary, srid: int>' |",
        "list<date> |",
        "list<int> |",
        "list<long> |",
        "list<string> |",
        "list<binary> |",
        "list<uuid> |",
        "'map<string, string>' |",
        "binary |",
        "string(decimal) |"
      })
  void withoutASchemaTheDeclaredTypeTells(String declared, @Nullable String type) {
    OverwritingNulls nulls = nulls(Map.of("c", ColumnSpec.parse(declared)));
    nulls.look(record(KEY, payload("postgresql", "c", "null")));

    List<String> found = nulls.columns().getOrDefault("c", List.of());
    assertThat(found.stream().findFirst().orElse(null)).isEqualTo(type);
  }

  @Test
  void otherConnectorsHavePlaceholdersOrNone() {
    OverwritingNulls nulls = nulls(Map.of());
    nulls.look(record(KEY, message(INT16S, payload("mysql", "u", "null"))));
    for (String none : new String[] {"{", " ", "", "null", "[]", "5", null}) {
      nulls.look(record(KEY, none));
    }

    assertThat(nulls.columns()).isEmpty();
  }

  /** Of these only REPLICA IDENTITY FULL sends the old value. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "u | true | '' | '{\"id\":1,\"note\":\"old\"}'",
        "d | true | '' | '{\"id\":1,\"note\":\"old\"}'",
        "u | false | '' | '{\"id\":1,\"c\":[1]}'"
      })
  void anOldValueThatIsNotInventedShowsFull(
      String op, String optional, String more, String before) {
    OverwritingNulls nulls = nulls(Map.of());
    String schema = INT16S + "," + NOTE.formatted(optional, more);
    nulls.look(record(KEY, message(schema, payload("postgresql", op, before))));

    assertThat(nulls.columns()).isEmpty();
  }

  /** What is not NULL in the old row of another identity is of its index, or invented. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "u | false | '' | '{\"id\":1,\"note\":\"of an index\",\"c\":null}'",
        "d | false | '' | '{\"id\":1,\"note\":\"\",\"c\":[]}'",
        "d | true | ',\"default\":\"x\"' | '{\"id\":1,\"note\":\"x\",\"c\":null}'",
        "d | true | '' | '{\"id\":1,\"note\":null,\"c\":null}'",
        "r | true | '' | '{\"id\":1,\"note\":\"old\"}'",
        "u | true | '' | null"
      })
  void otherIdentitiesDoNot(String op, String optional, String more, String before) {
    OverwritingNulls nulls = nulls(Map.of());
    String schema = INT16S.replace("true", optional) + "," + NOTE.formatted(optional, more);
    nulls.look(record(KEY, message(schema, payload("postgresql", op, before))));

    assertThat(nulls.columns()).containsOnlyKeys("c");
  }

  @Test
  void withoutASchemaElementsShowFull() {
    OverwritingNulls nulls = nulls(Map.of("c", ColumnSpec.parse("list<boolean>")));
    nulls.look(record(KEY, payload("postgresql", "u", "{\"id\":1,\"note\":\"x\",\"c\":[]}")));
    assertThat(nulls.columns()).containsOnlyKeys("c");

    nulls.look(record(KEY, payload("postgresql", "u", "{\"id\":1,\"note\":\"x\",\"c\":[true]}")));
    assertThat(nulls.columns()).isEmpty();
  }

  @Test
  void flattenedRowsNameTheirConnectorInAHeaderOrAField() {
    Unwrap unwrap =
        new Unwrap(
            Unwrap.DeleteHandling.TOMBSTONE, List.of("source.connector"), "__", List.of(), "__");
    String schema = "{\"type\":\"struct\",\"fields\":[" + INT16S + "]}";
    String flat =
        "{\"schema\":"
            + schema
            + ",\"payload\":{\"id\":1,\"c\":[1],\"__source_connector\":\"%s\"}}";

    assertThat(flat(unwrap, flat.formatted("postgresql"))).containsOnlyKeys("c");
    assertThat(flat(unwrap, flat.formatted("mysql"))).isEmpty();
  }

  @Test
  void avroIsReadToo() {
    String row =
        "{\"type\":\"record\",\"name\":\"Value\",\"fields\":[{\"name\":\"tags\",\"type\":{\"type\":"
            + "\"array\",\"items\":{\"type\":\"int\",\"connect.type\":\"int16\"}}}]}";
    String schema =
        "{\"type\":\"record\",\"name\":\"Envelope\",\"fields\":[{\"name\":\"op\",\"type\":\"string\"},"
            + "{\"name\":\"source\",\"type\":{\"type\":\"record\",\"name\":\"Source\",\"fields\":["
            + "{\"name\":\"connector\",\"type\":\"string\"}]}},"
            + "{\"name\":\"before\",\"type\":[\"null\","
            + row
            + "]},{\"name\":\"after\",\"type\":[\"null\",\"Value\"]}]}";
    OverwritingNulls nulls =
        new OverwritingNulls(Registries.avro(Map.of(7L, schema)), null, Map.of());
    String header = "\0\0\0\0\7";
    String change = "\2u\24postgresql";

    nulls.look(record(null, header + change + "\0\2\0")); // no row before, one without elements
    assertThat(nulls.columns()).isEqualTo(Map.of("tags", List.of("smallint[]")));

    nulls.look(record(null, header + change + "\2\2\16\0\2\0")); // 7 before, none after
    assertThat(nulls.columns()).isEmpty();
  }

  /** In the first 50 the table has its key as identity, and deletes have invented values. */
  @Test
  void recordingsTellTheirColumns() {
    assertThat(recorded("pg-types-schemas", "src.ty.all_types"))
        .isEqualTo(
            Map.of(
                "a_num", List.of("numeric[]"),
                "a_tstz", List.of("timestamptz[]"),
                "a_ts", List.of("timestamp[]"),
                "a_bool", List.of("boolean[]"),
                "a_float8", List.of("double precision[]"),
                "a_enum", List.of("enum[]"),
                "c_varbit", List.of("bit varying", "bit(n)")));
    assertThat(recorded("pg-basic-schemas", "src.shop.orders")).isEmpty();
  }

  private static Map<String, List<String>> recorded(String corpus, String topic) {
    OverwritingNulls nulls = nulls(Map.of());
    Corpus.load(corpus).of(topic).stream().limit(50).forEach(nulls::look);
    return nulls.columns();
  }

  @Test
  void noTypeIsListedTwice() {
    assertThat(NoPlaceholder.ALL).extracting(NoPlaceholder::type).doesNotHaveDuplicates();
    assertThat(NoPlaceholder.ALL)
        .allSatisfy(known -> assertThat(known.key().isEmpty()).isEqualTo(known.modes().isEmpty()));
  }

  private static Map<String, List<String>> flat(Unwrap unwrap, String message) {
    OverwritingNulls nulls = new OverwritingNulls(new JsonFormat(), unwrap, Map.of());
    nulls.look(record(KEY, message));
    return nulls.columns();
  }

  private static Map<String, List<String>> columns(String field) {
    OverwritingNulls nulls = nulls(Map.of());
    nulls.look(record(KEY, message(field, payload("postgresql", "c", "null"))));
    return nulls.columns();
  }

  private static OverwritingNulls nulls(Map<String, ColumnSpec> declared) {
    return new OverwritingNulls(new JsonFormat(), null, declared);
  }

  private static String array(String element) {
    return "\"type\":\"array\",\"items\":{" + element + "}";
  }

  private static String payload(String connector, String op, String before) {
    return "{\"op\":\"%s\",\"source\":{\"connector\":\"%s\"},\"before\":%s,\"after\":{\"id\":1}}"
        .formatted(op, connector, before);
  }

  private static String message(String fields, String payload) {
    String row = "{\"type\":\"struct\",\"fields\":[%s],\"field\":\"%s\"}";
    return "{\"schema\":{\"type\":\"struct\",\"fields\":["
        + row.formatted(fields, "before")
        + ","
        + row.formatted(fields, "after")
        + "]},\"payload\":"
        + payload
        + "}";
  }
}
