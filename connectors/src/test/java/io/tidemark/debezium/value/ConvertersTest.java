package io.tidemark.debezium.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.Seeds;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import io.tidemark.row.Column;
import io.tidemark.row.ColumnType;
import io.tidemark.row.ColumnType.Simple;
import io.tidemark.row.RowShape;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvertersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "boolean | true | true",
        "int | -2147483648 | -2147483648",
        "long | 9223372036854775807 | 9223372036854775807",
        "float | 1.1 | 1.1",
        "float | 3.4028235E38 | 3.4028235E38",
        "float | \"NaN\" | NaN",
        "double | 5e-324 | 4.9E-324",
        "double | -0.0 | -0.0",
        "double | \"-Infinity\" | -Infinity",
        "double | 7 | 7.0",
        "string | \"é 😀 \\\"q\\\"\" | é 😀 \"q\"",
        "binary | \"AP8Q3g==\" | 00ff10de",
        "binary | \"deadbeef\" | 75e69d6de79f", // nothing tells hexadecimal text
        "binary | \"\" | ''",
        "uuid | \"123E4567-e89b-12d3-a456-426614174000\" | 123e4567-e89b-12d3-a456-426614174000",
        "date | 19782 | 2024-02-29",
        "date | 2147483647 | +5881580-07-11",
        "time(micros) | 47655123456 | 13:14:15.123456",
        "time(millis) | 47655123 | 13:14:15.123",
        "time(nanos) | 47655123456000 | 13:14:15.123456",
        "timestamp(micros) | -1 | 1969-12-31T23:59:59.999999",
        "timestamp(millis) | 1709212455123 | 2024-02-29T13:14:15.123",
        "timestamp(nanos) | 1709212455123456000 | 2024-02-29T13:14:15.123456",
        "timestamptz | \"2024-02-29T13:14:15.123456+02:00\" | 2024-02-29T11:14:15.123456Z",
        "timestamptz | \"-0043-03-15T12:00:00Z\" | -0043-03-15T12:00Z",
        "timestamptz | \"-4712-01-01T00:00:00Z\" | -4712-01-01T00:00Z",
        "timestamptz | \"+10000-01-01T00:00:00.000000Z\" | +10000-01-01T00:00Z",
        "timestamptz | \"1969-12-31T23:59:59.999999000Z\" | 1969-12-31T23:59:59.999999Z",
        "timestamptz | \"1883-11-18T12:03:57.5-05:00:36\" | 1883-11-18T17:04:33.500Z",
        "boolean | 1 | true",
        "boolean | 0 | false",
        "string(boolean) | true | true",
        "string(boolean) | false | false",
        "string(boolean) | \"f\" | f",
        "list<string(boolean)> | [true,\"x\"] | '[\"true\", \"x\"]'",
        "int | true | 1",
        "int | false | 0",
        "date(iso) | \"2017-09-15Z\" | 2017-09-15",
        "date(iso) | \"-0043-03-15Z\" | -0043-03-15",
        "date(iso) | \"+10000-01-01\" | +10000-01-01",
        "time(iso) | \"13:14:15.123456Z\" | 13:14:15.123456",
        "time(iso) | \"13:14:15\" | 13:14:15",
        "timestamp(iso) | \"2024-02-29T13:14:15.123456Z\" | 2024-02-29T13:14:15.123456",
        "timestamp(iso) | \"1969-12-31T23:59:59.999999\" | 1969-12-31T23:59:59.999999",
        "timestamp(iso) | \"-4713-11-24T00:00:00Z\" | -4713-11-24T00:00",
        "timestamptz(micros) | 1 | 1970-01-01T00:00:00.000001Z",
        "'decimal(10, 2)' | \"AeI6\" | 1234.50",
        "'decimal(10, 2)' | \"/w==\" | -0.01",
        "'decimal(10, 2)' | 1234.5 | 1234.50",
        "'decimal(10, 2)' | 12e2 | 1200.00",
        "'decimal(10, 2)' | {\"scale\":3,\"value\":\"BNI=\"} | ERROR a number with 3 digits after"
            + " the point, which decimal(10, 2) cannot hold",
        "'decimal(10, 2)' | {\"value\":\"BNI=\",\"scale\":1} | 123.40",
        "'decimal(10, 2, text)' | \"1234.500\" | 1234.50",
        "'decimal(38, 0)' | \"SztMqFqGxHoJiiI//////w==\" | 99999999999999999999999999999999999999",
        "string(decimal) | {\"scale\":20,\"value\":\"EQfV61tbpNfG\"} | 3.14159265358979323846",
        "string(decimal) | {\"scale\":-3,\"value\":\"AQ==\"} | 1000",
        "string(decimal) | \"1E+5\" | 100000",
        "string(decimal) | \"NAN\" | NaN",
        "string(decimal) | \"POSITIVE_INFINITY\" | Infinity",
        "string(decimal) | \"NEGATIVE_INFINITY\" | -Infinity",
        "'string(decimal, 1)' | \"BNI=\" | 123.4",
        "list<int> | [1,null,-3] | '[1, null, -3]'",
        "'list<decimal(10, 2)>' | [\"bg==\",\"AOE=\"] | '[1.10, 2.25]'",
        "list<timestamp(micros)> | [0] | [1970-01-01T00:00]",
        "'map<string, string>' | {\"b\":null,\"a\":\"1\"} | '{a=\"1\", b=null}'",
        "'struct<x: double, srid: int>' | {\"srid\":null,\"x\":1.5} | '{1.5, null}'"
      })
  void valuesArriveExactly(String spec, String json, String text) {
    assertThat(convert(spec, json)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "date | -2147472692 | a date before 4713 BC, as which Debezium writes an infinite date",
        "time(micros) | 86400000000 | the time 24:00, which no time column can hold",
        "boolean | 2 | a number that is neither 0 nor 1 in a boolean column",
        "boolean | -1 | a number that is neither 0 nor 1 in a boolean column",
        "date(iso) | \"-5877611-06-22Z\" | a date before 4713 BC, as which Debezium writes an infinite date",
        "date(iso) | \"+5881580-07-12Z\" | a date beyond 32-bit days",
        "timestamp(iso) | \"-infinity\" | an infinite timestamp",
        "timestamp(iso) | \"+294247-01-10T04:00:25.2Z\" | an infinite timestamp",
        "timestamp(iso) | \"-290308-12-21T19:59:27.6Z\" | an infinite timestamp",
        "timestamp(iso) | \"-4713-11-23T23:59:59.999999Z\" | a timestamp before 4713 BC, as which"
            + " Debezium writes one after the year 294247",
        "timestamp(iso) | \"-290308-12-21T19:59:05.224191Z\" | a timestamp beyond 64-bit"
            + " microseconds",
        "time(iso) | \"13:14:15.0000001\" | a timestamp with digits below the microsecond",
        "time(iso) | \"24:00:00Z\" | the time 24:00, which no time column can hold",
        "time(iso) | \"24:00:00.000001Z\" | a time outside 00:00 to 24:00",
        "time(iso) | \"-838:59:59\" | a time outside 00:00 to 24:00",
        "time(iso) | \"838:59:59.999999Z\" | a time outside 00:00 to 24:00",
        "time(iso) | \"-00:00:01\" | a time outside 00:00 to 24:00",
        "time(millis) | -1 | a time outside 00:00 to 24:00",
        "time(nanos) | 1 | a time with digits below the microsecond",
        "timestamp(micros) | 9223372036825200000 | an infinite timestamp",
        "timestamp(micros) | -9223372036832400000 | an infinite timestamp",
        "timestamp(millis) | 9223372036825200 | an infinite timestamp",
        "timestamp(nanos) | 9223372036854775807 | an infinite timestamp",
        "timestamp(micros) | -9222426057709551617 | a timestamp before 4713 BC, as which"
            + " Debezium writes one after the year 294247",
        "timestamp(millis) | 9223372036854776 | a time beyond 64-bit microseconds",
        "timestamptz | \"infinity\" | an infinite timestamp",
        "timestamptz | \"-infinity\" | an infinite timestamp",
        "timestamptz | \"+294276-12-31T23:59:59.999999Z\" | a timestamp beyond 64-bit microseconds",
        "timestamptz | \"2024-02-29T00:00:00.0000001Z\" | a timestamp with digits below the"
            + " microsecond",
        "'decimal(4, 2)' | \"J0A=\" | a number with 3 digits before the point, which decimal(4, 2)"
            + " cannot hold",
        "'decimal(4, 2)' | 1e-999 | a number with 999 digits after the point, which decimal(4, 2)"
            + " cannot hold",
        "'decimal(4, 2, text)' | \"NAN\" | a decimal that is NaN",
        "list<date> | [0,-2147472692] | a date before 4713 BC, as which Debezium writes an infinite"
            + " date"
      })
  void whatTheTypeCannotHoldIsSaid(String spec, String json, String problem) {
    assertThat(convert(spec, json)).isEqualTo("ERROR " + problem);
    assertThat(failure(spec, json)).isInstanceOf(Unrepresentable.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "boolean | \"t\" | expected a boolean, found a string",
        "string | true | expected a string, found a boolean",
        "string(boolean) | 1 | expected a string or a boolean, found an integer",
        "boolean | 1.0 | expected a boolean, found a fraction",
        "date(iso) | \"2017-09-15+01:00\" | expected a date as ISO 8601 text, found a string of"
            + " another form",
        "date(iso) | 17424 | expected a date as ISO 8601 text, found an integer",
        "time(iso) | \"1:00:00Z\" | expected a time as ISO 8601 text, found a string of another form",
        "time(iso) | \"8388:59:59\" | expected a time as ISO 8601 text, found a string of another form",
        "timestamp(iso) | \"2017-09-15T24:00:00Z\" | expected a timestamp as ISO 8601 text, found a"
            + " string of another form",
        "timestamp(iso) | \"2017-09-15Z\" | expected a timestamp as ISO 8601 text, found a string of"
            + " another form",
        "int | 2147483648 | expected a 32-bit integer, found an integer out of its range",
        "int | 1.0 | expected a 32-bit integer, found a fraction",
        "int | \"1\" | expected a 32-bit integer, found a string",
        "long | 9223372036854775808 | expected a 64-bit integer, found an integer out of its range",
        "float | 1e39 | expected a 32-bit floating-point number, found a number out of its range",
        "double | 1e999 | expected a 64-bit floating-point number, found a number out of its range",
        "double | \"nan\" | expected a floating-point number, \"NaN\", \"Infinity\" or \"-Infinity\","
            + " found another string",
        "string | {} | expected a string, found an object",
        "string | \"\\ud800\" | expected Unicode text, found half a surrogate pair",
        "string | \"\\ud800x\" | expected Unicode text, found half a surrogate pair",
        "binary | \"*\" | expected bytes as base64, found a string that is not base64",
        "binary | \"deadbe\" | expected bytes as base64, found a string that is not base64",
        "uuid | \"1-1-1-1-1\" | expected a UUID as text, found a string of another form",
        "date | true | expected a 32-bit integer, found a boolean",
        "time | 1 | 'a number of unknown unit: the message has no schema. Declare the column as"
            + " time(millis), time(micros) or time(nanos) under columns'",
        "timestamp | 1 | 'a number of unknown unit: the message has no schema. Declare the column as"
            + " timestamp(millis), timestamp(micros) or timestamp(nanos) under columns'",
        "timestamptz | \"2024-02-30T00:00:00Z\" | expected a timestamp with offset as ISO 8601 text,"
            + " found a string of another form",
        "timestamptz | \"2024-02-29T00:00:00\" | expected a timestamp with offset as ISO 8601 text,"
            + " found a string of another form",
        "timestamptz | 5 | expected a timestamp with offset as ISO 8601 text, found an integer",
        "'decimal(4, 2)' | \"\" | expected a decimal number as base64 of 1 to 62500 bytes, found 0",
        "'decimal(4, 2)' | {\"scale\":1} | expected a decimal number as an object of scale and"
            + " value, found an object of other fields",
        "'decimal(4, 2)' | true | expected a decimal number, found a boolean",
        "'decimal(4, 2, text)' | \"x\" | expected a decimal number as text, found a string of another"
            + " form",
        "string(decimal) | {\"scale\":2147483647,\"value\":\"AQ==\"} | expected a decimal number of"
            + " at most 150000 digits, found one of 2147483648 written out in full",
        "list<int> | {} | expected a list, found an object",
        "list<int> | [\"a\"] | expected a 32-bit integer, found a string",
        "'map<string, int>' | [] | expected a map as an object, found a list",
        "'map<string, int>' | {\"a\":1,\"a\":2} | expected a map as an object, found a key twice",
        "struct<x: int> | {\"y\":1} | a field that the struct does not have: \"y\"",
        "struct<x: int> | {\"x\":1,\"x\":1} | a field that occurs twice: \"x\""
      })
  void otherTokensAreRefusedWithoutTheirValues(String spec, String json, String problem) {
    assertThat(convert(spec, json)).isEqualTo("ERROR " + problem);
    assertThat(failure(spec, json)).isNotInstanceOf(Unrepresentable.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "int | long | 5 | 5",
        "float | double | 1.1 | 1.100000023841858",
        "'decimal(10, 2)' | 'decimal(12, 3)' | \"AeI6\" | 1234.500",
        "'decimal(10, 2)' | string | \"AeI6\" | 1234.50",
        "string | 'decimal(10, 2)' | \"1.5\" | 1.50",
        "string(decimal) | 'decimal(10, 2)' | {\"scale\":1,\"value\":\"Dw==\"} | 1.50",
        "uuid | string | \"X\" | X",
        "timestamptz | string | \"infinity\" | infinity",
        "long | int | 5 | ERROR expected int, as the table has it, found long in the message's schema",
        "timestamp(micros) | string | 5 | ERROR expected string, as the table has it, found timestamp"
            + " in the message's schema",
        "timestamp(micros) | timestamptz | 5 | ERROR expected timestamptz, as the table has it, found"
            + " timestamp in the message's schema",
        "list<int> | list<long> | [5] | [5]",
        "list<int> | int | [5] | ERROR expected int, as the table has it, found list<int> in the"
            + " message's schema",
        "'struct<a: int, b: int>' | 'struct<b: long, a: int>' | {\"a\":1,\"b\":2} | '{2, 1}'"
      })
  void aColumnTakesWhatItCanHoldWithoutLoss(String wire, String target, String json, String text) {
    ColumnType type = ColumnSpec.parse(target).type();
    ValueConverter converter = Converters.forColumn(ColumnSpec.parse(wire), type, new RowBudget());
    assertThat(convert(converter, type, json)).isEqualTo(text);
  }

  @Test
  void equalNumbersAreEqualKeys() {
    ValueConverter converter =
        Converters.forKey(ColumnSpec.parse("string(decimal)"), Simple.STRING, new RowBudget());
    assertThat(convert(converter, Simple.STRING, "{\"scale\":3,\"value\":\"Bdw=\"}"))
        .isEqualTo("1.5")
        .isEqualTo(convert(converter, Simple.STRING, "{\"scale\":1,\"value\":\"Dw==\"}"));
  }

  @Test
  void everyDecimalThatFitsArrivesInEveryEncoding() {
    Random random = Seeds.random("ConvertersTest.decimals", 21);
    for (int i = 0; i < 20_000; i++) {
      int precision = 1 + random.nextInt(38);
      int scale = random.nextInt(precision + 1);
      BigInteger limit = BigInteger.TEN.pow(precision);
      BigInteger unscaled = new BigInteger(130, random).mod(limit);
      BigDecimal number =
          new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), scale);
      String type = "decimal(" + precision + ", " + scale;
      String base64 = Base64.getEncoder().encodeToString(number.unscaledValue().toByteArray());
      String text = number.toPlainString();

      assertThat(convert(type + ")", '"' + base64 + '"')).isEqualTo(text);
      assertThat(convert(type + ")", text)).isEqualTo(text);
      assertThat(convert(type + ", text)", '"' + number.toString() + '"')).isEqualTo(text);
      String variable = "{\"scale\":" + scale + ",\"value\":\"" + base64 + "\"}";
      assertThat(convert(type + ")", variable)).isEqualTo(text);
      assertThat(convert("string(decimal)", variable)).isEqualTo(text);
    }
  }

  @Test
  void everyInstantArrives() {
    Random random = Seeds.random("ConvertersTest.instants", 22);
    for (int i = 0; i < 20_000; i++) {
      long micros = random.nextLong() >> random.nextInt(40);
      Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
      ZoneOffset offset = ZoneOffset.ofTotalSeconds(random.nextInt(36 * 3600) - 18 * 3600);
      OffsetDateTime zoned = instant.atOffset(offset);
      // java.time leaves out seconds that are zero, which Debezium never does.
      String text = zoned.toString().replaceFirst("(T\\d\\d:\\d\\d)([Z+-])", "$1:00$2");

      assertThat(micros(text)).as(text).isEqualTo(micros);
    }
  }

  private static long micros(String text) {
    try {
      return new IsoText(text, IsoText.INSTANT).micros();
    } catch (Problem e) {
      throw new AssertionError(text, e);
    }
  }

  private static String convert(String spec, String json) {
    ColumnSpec wire = ColumnSpec.parse(spec);
    return convert(Converters.forColumn(wire, wire.type(), new RowBudget()), wire.type(), json);
  }

  private static Problem failure(String spec, String json) {
    ColumnSpec wire = ColumnSpec.parse(spec);
    try {
      value(Converters.forColumn(wire, wire.type(), new RowBudget()), wire.type(), json);
      throw new AssertionError("No problem: " + json);
    } catch (Problem problem) {
      return problem;
    }
  }

  private static String convert(ValueConverter converter, ColumnType type, String json) {
    try {
      return value(converter, type, json);
    } catch (Problem problem) {
      return "ERROR " + problem.text();
    }
  }

  private static String value(ValueConverter converter, ColumnType type, String json)
      throws Problem {
    TextRow row =
        new TextRow(
            new RowShape(List.of(new Column("k", Simple.INT, true), new Column("c", type, false))));
    byte[] bytes = json.getBytes(UTF_8);
    try (JsonParser in = JsonInput.open(bytes, 0, bytes.length)) {
      in.nextToken();
      row.start();
      converter.convert(in, row, 1);
      JsonInput.expectEnd(in);
    } catch (IOException e) {
      throw new AssertionError(json, e);
    }
    return String.valueOf(TextRow.read(row.finish()).get("c"));
  }
}
