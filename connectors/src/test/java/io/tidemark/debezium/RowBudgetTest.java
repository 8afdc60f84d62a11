package io.tidemark.debezium;

import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Allocated;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.avro.InMemoryAvro;
import io.tidemark.debezium.format.MessageFormat;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a message can make of a few bytes is refused before it takes memory or time to match. */
class RowBudgetTest {
  private static final String KEY = "{\"id\":1}";
  private static final long MANY_BYTES = 64L << 20;

  /** Twenty bytes each; the rows would have more than a million digits. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "string(decimal) | \"1E+149998\"",
        "string(decimal) | \"1E-149998\"",
        "string(decimal) | 1E+149998",
        "string(decimal) | {\"scale\":-149998,\"value\":\"AQ==\"}",
        "string(decimal, 149998) | \"AQ==\"",
        "decimal(38, 0, text) | \"0E-149998\"",
      })
  void zerosThatWereNotSentAreCounted(String spec, String number) {
    String[] columns = {"id*: long", "n: " + spec, "l: list<" + spec + ">"};
    EnvelopeDecoder decoder = Events.decoder(DecoderSettings.DEFAULTS, columns);

    assertThat(decode(decoder, "{\"id\":1,\"n\":" + number + ",\"l\":" + list(number, 5) + "}"))
        .isInstanceOf(Decoded.class);
    assertThat(
            problem(
                decode(decoder, "{\"id\":1,\"n\":" + number + ",\"l\":" + list(number, 6) + "}")))
        .startsWith("after: column l: found more than 1000000 parts in the row")
        .contains("errors.policy: dead-letter");
    // The next row starts anew.
    assertThat(decode(decoder, "{\"id\":1,\"l\":" + list(number, 6) + "}"))
        .isInstanceOf(Decoded.class);
  }

  @Test
  void theLongestNumberOfPostgresIsReadAndNotMany() {
    String longest = "7".repeat(131_072) + "." + "7".repeat(16_383);
    EnvelopeDecoder decoder =
        Events.decoder(
            DecoderSettings.DEFAULTS,
            "id*: long",
            "n: string(decimal)",
            "l: list<string(decimal)>");

    DecodeResult one = decode(decoder, "{\"id\":1,\"n\":\"" + longest + "\"}");
    assertThat(Events.text(one)).contains("n=" + longest + "}");
    assertThat(problem(decode(decoder, "{\"id\":1,\"l\":" + list('"' + longest + '"', 7) + "}")))
        .contains("more than 1000000 parts");
    assertThat(problem(decode(decoder, "{\"id\":1,\"n\":\"" + "7".repeat(150_001) + "\"}")))
        .contains("column n: expected a decimal number as text of at most 150000 characters");
    assertThat(problem(decode(decoder, "{\"id\":1,\"n\":\"1E+150000\"}")))
        .contains("at most 150000 digits, found one of 150001 written out in full");
    String bytes = Base64.getEncoder().encodeToString(new byte[62_501]);
    assertThat(
            problem(decode(decoder, "{\"id\":1,\"n\":{\"scale\":0,\"value\":\"" + bytes + "\"}}")))
        .contains("base64 of 1 to 62500 bytes, found 62501");
  }

  /** To drop them one by one would take gigabytes. */
  @Test
  void trailingZerosOfAKeyAreDroppedAtOnce() {
    String zeros = "5." + "0".repeat(60_000);
    EnvelopeDecoder decoder = Events.decoder(DecoderSettings.DEFAULTS, "k*: string(decimal)");

    Allocated.Result<DecodeResult> key =
        Allocated.by(
            () -> decoder.decode(record("{\"k\":5}", envelope("c", "{\"k\":\"" + zeros + "\"}"))));

    assertThat(Events.text(key.value())).startsWith("UPSERT {k=5} ");
    assertThat(key.bytes()).isLessThan(MANY_BYTES);
  }

  @Test
  void elementsAndFieldsAreCounted() {
    EnvelopeDecoder decoder =
        Events.decoder(
            DecoderSettings.DEFAULTS,
            "id*: long",
            "l: list<long>",
            "s: list<struct<x: double, y: double>>",
            "m: map<string, list<int>>");

    assertThat(decode(decoder, "{\"id\":1,\"l\":" + list("7", 1_000_000) + "}"))
        .isInstanceOf(Decoded.class);
    assertThat(problem(decode(decoder, "{\"id\":1,\"l\":" + list("null", 1_000_001) + "}")))
        .startsWith("after: column l: found more than 1000000 parts");
    // An element and two fields each, then an entry and nine elements.
    String structs = "{\"id\":1,\"s\":" + list("{}", 333_330) + ",\"m\":{\"k\":";
    assertThat(decode(decoder, structs + list("7", 9) + "}}")).isInstanceOf(Decoded.class);
    assertThat(problem(decode(decoder, structs + list("7", 10) + "}}")))
        .startsWith("after: column m: found more than 1000000 parts");
  }

  /** A dozen levels more, and it would not end. */
  @Test
  void aSchemaThatNamesItsRecordsAgainAndAgainIsRefused() {
    StringBuilder type = new StringBuilder("\"long\"");
    for (int level = 0; level < 7; level++) {
      type.insert(
              0,
              "{\"type\":\"record\",\"name\":\"R"
                  + level
                  + "\",\"fields\":[{\"name\":\"a\",\"type\":")
          .append("}");
      for (String field : List.of("b", "c", "d", "e", "f")) {
        type.append(",{\"name\":\"").append(field).append("\",\"type\":");
        type.append(level == 0 ? "\"long\"" : "\"R" + (level - 1) + "\"").append("}");
      }
      type.append("]}");
    }
    MessageFormat format =
        new InMemoryAvro(
            Map.of(
                1L,
                "{\"type\":\"record\",\"name\":\"V\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
                    + "{\"name\":\"s\",\"type\":[\"null\","
                    + type
                    + "]}]}"));
    ByteArrayOutputStream row = new ByteArrayOutputStream();
    row.writeBytes(new byte[] {0, 0, 0, 0, 1, 2, 0});
    RawRecord plain = record(KEY, KEY);
    RawRecord sent = new RawRecord(plain.at(), 0, row.toByteArray(), row.toByteArray(), Map.of());

    ShapeResult shape =
        new ShapeReader(List.of("id"), Map.of(), format, Unwrap.DEFAULTS).read(sent);
    assertThat(shape).isInstanceOf(ShapeResult.Refused.class);
    assertThat(((ShapeResult.Refused) shape).reason())
        .contains("a schema whose row has more than 100000 types in it");
    ChangeDecoder decoder =
        ChangeDecoder.of(
            Events.shape("id*: long", "s: string"),
            DecoderSettings.DEFAULTS.withFormat(format, Unwrap.DEFAULTS),
            new TextRow(Events.shape("id*: long", "s: string")));
    assertThat(problem(decoder.decode(sent))).contains("more than 100000 types");
  }

  private static DecodeResult decode(ChangeDecoder decoder, String after) {
    return decoder.decode(record(KEY, envelope("c", after)));
  }

  private static String list(String element, int times) {
    return "[" + String.join(",", Collections.nCopies(times, element)) + "]";
  }

  private static String problem(DecodeResult result) {
    assertThat(result).isInstanceOf(Malformed.class);
    return ((Malformed) result).problem();
  }
}
