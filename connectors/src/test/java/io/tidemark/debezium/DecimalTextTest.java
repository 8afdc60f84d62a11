package io.tidemark.debezium;

import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static io.tidemark.debezium.Events.text;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A number that is kept as text is one text, whether the message has a schema or not. */
class DecimalTextTest {
  private static final String AT = " Stream[90, 100, 0] at 7000000";
  private static final String[] COLUMNS = {
    "k*: string(decimal)", "n: string(decimal)", "l: list<struct<d: string(decimal)>>"
  };

  /** As {@code decimal.handling.mode=string} writes it: text, which is all that its schema says. */
  @ParameterizedTest
  @CsvSource({
    "1.50, 1.50, 1.5",
    "1E+2, 100, 100",
    "1E-3, 0.001, 0.001",
    "-0.00, 0.00, 0",
    "100, 100, 100",
    "NAN, NaN, NaN",
    "POSITIVE_INFINITY, Infinity, Infinity",
    "NEGATIVE_INFINITY, -Infinity, -Infinity"
  })
  void aSchemaOfPlainTextChangesNothing(String sent, String kept, String key) {
    String type = "\"type\":\"string\"";
    String keyField = "{\"field\":\"k\"," + type + "}";
    String list =
        "{\"field\":\"l\",\"type\":\"array\",\"items\":{\"type\":\"struct\",\"fields\":[{"
            + "\"field\":\"d\","
            + type
            + "}]}}";
    String row = "{\"k\":\"%1$s\",\"n\":\"%1$s\",\"l\":[{\"d\":\"%1$s\"}]}".formatted(sent);
    String change = envelope("c", row);
    String message = "{\"k\":\"" + sent + "\"}";
    EnvelopeDecoder decoder = Events.decoder(DecoderSettings.DEFAULTS, COLUMNS);

    DecodeResult without = decoder.decode(record(message, change));
    DecodeResult with =
        decoder.decode(
            record(
                framed(keyField, message),
                framed(
                    "{\"field\":\"after\",\"type\":\"struct\",\"fields\":["
                        + keyField
                        + ",{\"field\":\"n\","
                        + type
                        + "},"
                        + list
                        + "]}",
                    change)));

    assertThat(text(without))
        .isEqualTo("UPSERT {k=" + key + ", l=[{\"" + kept + "\"}], n=" + kept + "}" + AT);
    assertThat(text(with)).isEqualTo(text(without));
    assertThat(((DecodeResult.Decoded) with).key())
        .isEqualTo(((DecodeResult.Decoded) without).key());
  }

  /** Base64 of 150 in a scale of two, and the text after the connector's mode was changed. */
  @Test
  void aWideDecimalStaysTheKeyThatItWas() {
    EnvelopeDecoder decoder =
        Events.decoder(DecoderSettings.DEFAULTS, "k*: string(decimal, 2)", "n: string(decimal, 2)");
    String base64 = "{\"k\":\"AJY=\",\"n\":\"AJY=\"}";
    String plain = "{\"k\":\"1.50\",\"n\":\"1.50\"}";
    String key = "{\"field\":\"k\",\"type\":\"string\"}";
    String fields = "[" + key + ",{\"field\":\"n\",\"type\":\"string\"}]";

    DecodeResult before = decoder.decode(record("{\"k\":\"AJY=\"}", envelope("c", base64)));
    DecodeResult after =
        decoder.decode(
            record(
                framed(key, "{\"k\":\"1.50\"}"),
                framed(
                    "{\"field\":\"after\",\"type\":\"struct\",\"fields\":" + fields + "}",
                    envelope("c", plain))));

    assertThat(text(before)).isEqualTo("UPSERT {k=1.5, n=1.50}" + AT);
    assertThat(text(after)).isEqualTo(text(before));
  }

  private static String framed(String fields, String payload) {
    return "{\"schema\":{\"type\":\"struct\",\"fields\":["
        + fields
        + "]},\"payload\":"
        + payload
        + "}";
  }
}
