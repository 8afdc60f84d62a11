package io.tidemark.debezium;

import static io.tidemark.debezium.Events.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.debezium.ShapeResult.Discovered;
import io.tidemark.debezium.ShapeResult.NotAChange;
import io.tidemark.debezium.ShapeResult.Refused;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.value.ColumnSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShapeReaderTest {
  private static final String KEY = "{\"id\":1}";
  private static final String ID = "{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'\"type\":\"int8\"' | int",
        "'\"type\":\"int16\"' | int",
        "'\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\",\"parameters\":"
            + "{\"scale\":\"2\"}' | 'decimal(38, 2)'",
        "'\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\",\"parameters\":"
            + "{\"scale\":\"10\",\"connect.decimal.precision\":\"50\"}' | 'string(decimal, 10)'",
        "'\"type\":\"int32\",\"name\":\"org.apache.kafka.connect.data.Time\"' | time(millis)",
        "'\"type\":\"int64\",\"name\":\"io.debezium.time.NanoTime\"' | time(nanos)",
        "'\"type\":\"int64\",\"name\":\"org.apache.kafka.connect.data.Timestamp\"' |"
            + " timestamp(millis)",
        "'\"type\":\"int64\",\"name\":\"io.debezium.time.NanoTimestamp\"' | timestamp(nanos)",
        "'\"type\":\"string\",\"name\":\"io.debezium.time.Interval\"' | string",
        "'\"type\":\"int32\",\"name\":\"io.debezium.time.Year\"' | int",
        "'\"type\":\"string\",\"name\":\"io.debezium.data.EnumSet\"' | string",
        "'\"type\":\"map\",\"keys\":{\"type\":\"string\"},\"values\":{\"type\":\"string\"}' |"
            + " 'map<string, string>'",
        "'\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":{\"type\":\"int32\",\"name\":"
            + "\"io.debezium.time.Date\"}}' | list<list<date>>"
      })
  void connectTypesAreColumns(String schema, String spec) {
    Discovered found =
        (Discovered) reader().read(record(KEY, message(ID, "{" + schema + ",\"field\":\"c\"}")));
    assertThat(found.spec("c")).isEqualTo(spec);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "'\"type\":\"int16x\"' | 'column c: Connect type \"int16x\" is not supported'",
        "'\"type\":\"string\",\"name\":\"io.debezium.time.StructuredDate\"' | 'column c: type"
            + " \"io.debezium.time.StructuredDate\" is not supported'",
        "'\"type\":\"map\",\"keys\":{\"type\":\"int32\"},\"values\":{\"type\":\"string\"}' | 'column c:"
            + " a map with keys of Connect type \"int32\" is not supported'",
        "'\"type\":\"struct\",\"fields\":[]' | 'column c: a struct without fields is not supported'",
        "'\"type\":\"bytes\",\"name\":\"org.apache.kafka.connect.data.Decimal\"' | 'column c: expected"
            + " a decimal with a scale of at least 0, found another in the schema'"
      })
  void whatNoColumnCanBeIsRefusedByName(String schema, String reason) {
    assertThat(reader().read(record(KEY, message(ID, "{" + schema + ",\"field\":\"c\"}"))))
        .isEqualTo(new Refused(reason));
  }

  @Test
  void theMessageKeyNamesTheKeyColumns() {
    Discovered found = (Discovered) reader().read(record(KEY, message(ID, field("string", "v"))));
    assertThat(found.shape()).isEqualTo(Events.shape("id*: long", "v: string"));
  }

  @Test
  void configuredKeyAndTypesComeFirst() {
    ShapeReader configured =
        new ShapeReader(List.of("v"), Map.of("id", ColumnSpec.parse("decimal(20, 0)")));
    Discovered found =
        (Discovered) configured.read(record(null, message(ID, field("string", "v"))));
    assertThat(found.shape()).isEqualTo(Events.shape("id: decimal(20, 0)", "v*: string"));
  }

  @Test
  void aTypeChosenWithoutUnitTakesTheSchemas() {
    String micros =
        "{\"type\":\"int64\",\"name\":\"io.debezium.time.MicroTimestamp\",\"field\":\"v\"}";
    assertThat(spec("timestamp", micros)).isEqualTo("timestamp(micros)");
    assertThat(spec("timestamp(nanos)", micros)).isEqualTo("timestamp(nanos)");
    assertThat(spec("long", micros)).isEqualTo("long");
    String iso =
        "{\"type\":\"string\",\"name\":\"io.debezium.time.StructuredDate\",\"field\":\"v\"}";
    assertThat(spec("string", iso)).isEqualTo("string");
  }

  /** A table may have columns that are called as the fields of Debezium's other records. */
  @ParameterizedTest
  @CsvSource({
    "status id event_count",
    "databaseName id ddl",
    "id databaseName tableChanges",
  })
  void aFlattenedTableIsNotTakenForOtherRecordsOfDebezium(String names) {
    ShapeReader reader = new ShapeReader(List.of(), Map.of(), new JsonFormat(), Unwrap.DEFAULTS);

    assertThat(reader.read(flattened("s.public.jobs.Value", names)))
        .isInstanceOfSatisfying(
            Discovered.class,
            found -> assertThat(found.shape().columns()).hasSize(names.split(" ").length));
    assertThat(
            reader.read(flattened("io.debezium.connector.common.TransactionMetadataValue", names)))
        .isInstanceOf(NotAChange.class);
    assertThat(reader.read(flattened("", names)))
        .as("of a schema without a name nothing else is known")
        .isInstanceOf(NotAChange.class);
  }

  private static RawRecord flattened(String schemaName, String names) {
    String fields =
        Stream.of(names.split(" "))
            .map(name -> "{\"type\":\"int64\",\"optional\":false,\"field\":\"" + name + "\"}")
            .collect(Collectors.joining(","));
    String row =
        Stream.of(names.split(" "))
            .map(name -> "\"" + name + "\":1")
            .collect(Collectors.joining(",", "{", "}"));
    String named = schemaName.isEmpty() ? "" : "\"name\":\"" + schemaName + "\",";
    return record(
        KEY,
        "{\"schema\":{\"type\":\"struct\",%s\"fields\":[%s]},\"payload\":%s}"
            .formatted(named, fields, row));
  }

  private static String spec(String chosen, String field) {
    ShapeReader reader = new ShapeReader(List.of(), Map.of("v", ColumnSpec.parse(chosen)));
    return ((Discovered) reader.read(record(KEY, message(ID, field)))).spec("v");
  }

  @Test
  void aShapeThatCannotBeKnownIsRefusedWithTheRemedy() {
    assertThat(reader().read(record(KEY, "{\"op\":\"c\",\"after\":{\"id\":1}}")))
        .isEqualTo(
            new Refused(
                "the message has no schema, so that the types of its columns are not known. Name them"
                    + " under columns, create the table first, or set the converter's"
                    + " schemas.enable=true"));
    assertThat(reader().read(record(null, message(ID))))
        .isEqualTo(
            new Refused(
                "the message has no key. Give the source table a primary key, or set the connector's"
                    + " message.key.columns; where the topic has one partition, naming the columns of"
                    + " the key in the route (key: [...]) is enough"));
    assertThat(reader().read(record("{\"x\":1}", message(ID))))
        .isEqualTo(new Refused("the row has no key column x"));
    assertThat(reader().read(record(KEY, message(field("double", "id")))))
        .isEqualTo(
            new Refused(
                "Column id of type double cannot be a key column. Name other columns of the key in the"
                    + " route (key: [...]); where the topic has several partitions, also in the"
                    + " connector's message.key.columns"));
    assertThat(reader().read(record(KEY, "{\"id\":1}")))
        .isEqualTo(
            new Refused(
                "expected a Debezium envelope with op, before, after and source; found no op, and the"
                    + " names \"id\". If ExtractNewRecordState flattened it, set kafka.format to"
                    + " debezium-json-flat or debezium-avro-flat"));
    assertThat(reader().read(record(KEY, "{\"op\":")))
        .isEqualTo(new Refused("JSON that ends early"));
  }

  @Test
  void recordsThatChangeNoRowHaveNoShape() {
    assertThat(reader().read(record(KEY, null))).isEqualTo(new NotAChange());
    assertThat(reader().read(record(KEY, "{\"ts_ms\":1}"))).isEqualTo(new NotAChange());
    assertThat(reader().read(record(null, "{\"op\":\"t\"}"))).isEqualTo(new NotAChange());
  }

  private static ShapeReader reader() {
    return new ShapeReader(List.of(), Map.of());
  }

  private static String field(String type, String name) {
    return "{\"type\":\"" + type + "\",\"field\":\"" + name + "\"}";
  }

  private static String message(String... fields) {
    return "{\"schema\":{\"type\":\"struct\",\"fields\":[{\"type\":\"struct\",\"fields\":"
        + List.of(fields).stream().collect(Collectors.joining(",", "[", "]"))
        + ",\"field\":\"after\"}]},\"payload\":{\"after\":{},\"op\":\"c\"}}";
  }
}
