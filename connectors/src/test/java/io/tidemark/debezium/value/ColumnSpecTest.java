package io.tidemark.debezium.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.Seeds;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ColumnSpecTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "boolean",
        "int",
        "long",
        "float",
        "double",
        "string",
        "string(decimal)",
        "string(decimal, 10)",
        "string(boolean)",
        "binary",
        "date",
        "time",
        "time(millis)",
        "time(micros)",
        "time(nanos)",
        "timestamp",
        "timestamp(millis)",
        "timestamp(micros)",
        "timestamp(nanos)",
        "timestamptz",
        "timestamptz(millis)",
        "uuid",
        "decimal(10, 2)",
        "decimal(38, 0, text)",
        "list<timestamp(micros)>",
        "list<list<decimal(10, 2)>>",
        "map<string, date>",
        "struct<x: double, y: double, wkb: binary, srid: int>",
        "struct<`odd name`: int, `a``b`: time(nanos), plain_1: list<struct<z: uuid>>>"
      })
  void textFormReadsBackAsItself(String text) {
    assertThat(ColumnSpec.parse(text)).hasToString(text);
  }

  @Test
  void spaceAndCaseAreFree() {
    assertThat(ColumnSpec.parse(" List < TIMESTAMP( Micros ) > "))
        .isEqualTo(
            new ColumnSpec(
                new ColumnType.ListOf(Simple.TIMESTAMP),
                new Encoding.Element(Encoding.Simple.MICROS)));
    assertThat(ColumnSpec.parse("decimal(10,2)"))
        .isEqualTo(ColumnSpec.of(new ColumnType.Decimal(10, 2)));
  }

  @Test
  void everySpecificationReadsBackFromItsText() {
    Random random = Seeds.random("ColumnSpecTest", 11);
    for (int i = 0; i < 5000; i++) {
      ColumnSpec spec = spec(random, 3);
      assertThat(ColumnSpec.parse(spec.toString())).isEqualTo(spec);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp(seconds) | Column type \"timestamp(seconds)\": expected timestamp(millis),"
            + " (micros), (nanos) or (iso) at character 1",
        "date(micros) | Column type \"date(micros)\": expected date (a number of days) or date(iso)"
            + " at character 1",
        "decimal(10) | Column type \"decimal(10)\": expected decimal(precision, scale) or"
            + " decimal(precision, scale, text) at character 1",
        "decimal(39, 2) | A decimal has precision 1..38 and scale 0..precision, got (39, 2)",
        "list<int | Column type \"list<int\": expected '>' at character 9",
        "map<int, int> | Column type \"map<int, int>\": expected a map with string keys:"
            + " map<string, …> at character 8",
        "struct<a: int, a: int> | Column type \"struct<a: int, a: int>\": expected field a only once"
            + " at character 17",
        "int(4) | Column type \"int(4)\": expected int without arguments at character 1",
        "long long | Column type \"long long\": expected the end at character 6"
      })
  void otherTextIsRefusedWithThePlace(String text, String message) {
    assertThatThrownBy(() -> ColumnSpec.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void otherTypesAreRefusedWithAllThatThereAre() {
    assertThatThrownBy(() -> ColumnSpec.parse("varchar"))
        .hasMessage(
            "Column type \"varchar\": expected boolean, int, long, float, double, string, binary, date,"
                + " time(millis|micros|nanos|iso), timestamp(millis|micros|nanos|iso), timestamptz, uuid,"
                + " decimal(p, s), list<…>, map<string, …> or struct<name: …> at character 1");
  }

  @Test
  void typeAndEncodingMustFit() {
    assertThatThrownBy(() -> new ColumnSpec(Simple.INT, Encoding.Simple.MICROS))
        .hasMessage("Type int has no encoding MICROS");
    assertThatThrownBy(
            () -> new ColumnSpec(new ColumnType.ListOf(Simple.INT), Encoding.Simple.NATURAL))
        .hasMessage("Type list<int> has no encoding NATURAL");
  }

  private static ColumnSpec spec(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 8)) {
      case 0 -> ColumnSpec.of(Simple.values()[random.nextInt(Simple.values().length)]);
      case 1 -> {
        int precision = 1 + random.nextInt(38);
        yield new ColumnSpec(
            new ColumnType.Decimal(precision, random.nextInt(precision + 1)),
            random.nextBoolean() ? Encoding.Simple.TEXT : Encoding.Simple.NATURAL);
      }
      case 2 -> new ColumnSpec(Simple.STRING, new Encoding.Scaled(random.nextInt(100)));
      case 3 -> new ColumnSpec(Simple.STRING, Encoding.Simple.DECIMAL);
      case 4 ->
          new ColumnSpec(
              List.of(Simple.TIME, Simple.TIMESTAMP, Simple.TIMESTAMPTZ).get(random.nextInt(3)),
              List.of(Encoding.Simple.MILLIS, Encoding.Simple.MICROS, Encoding.Simple.NANOS)
                  .get(random.nextInt(3)));
      case 5 -> ColumnSpec.listOf(spec(random, depth - 1));
      case 6 -> ColumnSpec.mapOf(spec(random, depth - 1));
      default -> {
        List<String> names = new ArrayList<>();
        List<ColumnSpec> fields = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
          names.add("abc`: >,".substring(random.nextInt(7)) + i);
          fields.add(spec(random, depth - 1));
        }
        yield ColumnSpec.structOf(names, fields);
      }
    };
  }
}
