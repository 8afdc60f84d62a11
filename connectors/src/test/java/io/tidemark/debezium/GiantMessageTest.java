package io.tidemark.debezium;

import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.Allocated;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.DecodeResult.Decoded;
import io.tidemark.debezium.DecodeResult.Malformed;
import io.tidemark.debezium.avro.InMemoryAvro;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that are large, deep or wide without end are decoded or refused, in bounded memory. */
class GiantMessageTest {
  private static final int SIZE = 64 * 1024 * 1024;

  /** A text is copied as it grows; of a million small things each takes some hundred bytes. */
  private static final long BYTES_PER_BYTE = 8;

  private static final long FIXED_BYTES = 8 << 20;

  private static final String KEY = "{\"id\":1}";
  private static final RowShape SHAPE = Events.shape("id*: long", "name: string");

  @Test
  void aValueOf64MebibytesIsARow() {
    String text = "x".repeat(SIZE - 1000);
    DecodeResult json =
        decode(json(), record(KEY, envelope("c", "{\"id\":1,\"name\":\"" + text + "\"}")));

    assertThat(json).isInstanceOf(Decoded.class);
    assertThat(((Decoded) json).row()).hasSizeGreaterThan(SIZE - 2000);
  }

  @Test
  void aValueOverTheLimitIsRefused() {
    String text = "x".repeat(SIZE + 1000);

    assertThat(
            problem(
                decode(json(), record(KEY, envelope("c", "{\"id\":1,\"name\":\"" + text + "\"}")))))
        .contains("JSON over a limit");
  }

  @Test
  void aThousandLevelsAreRefusedWhereverTheyAre() {
    String deep = "[".repeat(1000) + "]".repeat(1000);
    for (String value :
        new String[] {
          deep,
          "{\"x\":" + deep + "}",
          envelope("c", "{\"id\":1,\"name\":" + deep + "}"),
          envelope("c", "{\"id\":1}", "{\"x\":" + deep + "}"),
          "{\"schema\":{\"fields\":" + deep + "},\"payload\":{\"op\":\"c\"}}"
        }) {
      assertThat(problem(decode(json(), record(KEY, value)))).isNotEmpty();
      assertThat(problem(decode(flat(), record(KEY, value)))).isNotEmpty();
    }
    assertThat(problem(decode(json(), record(deep, envelope("c", "{\"id\":1}"))))).isNotEmpty();
  }

  @Test
  void aMillionFieldsAreRefusedOrSkipped() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      fields.append("\"f").append(i).append("\":").append(i).append(',');
    }
    String many = fields.substring(0, fields.length() - 1);

    assertThat(problem(decode(json(), record(KEY, "{" + many + "}")))).contains("found no op");
    assertThat(problem(decode(json(), record(KEY, envelope("c", "{\"id\":1," + many + "}")))))
        .contains("the table has no such column");
    assertThat(
            decode(
                json(),
                record(
                    KEY,
                    envelope("c", "{\"id\":1}", Events.SOURCE.replace("{", "{" + many + ",")))))
        .isInstanceOf(Decoded.class);
    assertThat(problem(decode(flat(), record(KEY, "{\"id\":1," + many + "}"))))
        .contains("the table has no such column");
  }

  @Test
  void anAvroMessageOf64MebibytesIsARow() {
    InMemoryAvro format =
        new InMemoryAvro(
            Map.of(
                1L,
                "{\"type\":\"record\",\"name\":\"K\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"}]}",
                2L,
                "{\"type\":\"record\",\"name\":\"V\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
                    + "{\"name\":\"name\",\"type\":\"string\"},"
                    + "{\"name\":\"__x\",\"type\":{\"type\":\"array\",\"items\":\"null\"}}]}"));
    ChangeDecoder decoder =
        ChangeDecoder.of(
            SHAPE,
            DecoderSettings.DEFAULTS
                .withFormat(format, Unwrap.DEFAULTS)
                .withVersion(new VersionScheme.KafkaOffset()),
            new TextRow(SHAPE));
    byte[] text = new byte[SIZE - 1000];
    Arrays.fill(text, (byte) 'x');
    RawRecord plain = record(KEY, KEY);

    ByteArrayOutputStream value = start(2);
    value.write(2);
    writeLong(value, text.length);
    value.writeBytes(text);
    value.write(0);
    DecodeResult large =
        decode(decoder, new RawRecord(plain.at(), 0, key(), value.toByteArray(), Map.of()));
    assertThat(large).isInstanceOf(Decoded.class);

    // A few bytes that say that there are 2^62 elements, none of which takes a byte.
    ByteArrayOutputStream bomb = start(2);
    bomb.writeBytes(new byte[] {2, 0});
    writeLong(bomb, 1L << 62);
    assertThat(
            problem(
                decode(decoder, new RawRecord(plain.at(), 0, key(), bomb.toByteArray(), Map.of()))))
        .contains("more than a million elements that take no bytes");
  }

  /** Each few bytes would be an object. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"list<struct<x: double>> | {},", "list<string(decimal)> | \"1E+99\","})
  void aListOf64MebibytesIsRefused(String spec, String element) {
    String list = element.repeat(SIZE / element.length());
    String after = "{\"id\":1,\"l\":[" + list.substring(0, list.length() - 1) + "]}";
    ChangeDecoder decoder = Events.decoder(DecoderSettings.DEFAULTS, "id*: long", "l: " + spec);

    assertThat(problem(decode(decoder, record(KEY, envelope("c", after)))))
        .contains("column l: found more than 1000000 parts in the row");
  }

  @Test
  void aSchemaOf64MebibytesIsRefused() {
    String schema =
        "{\"fields\":[" + ("{\"x\":\"" + "y".repeat(1000) + "\"},").repeat(SIZE / 1000) + "{}]}";

    assertThat(
            problem(
                decode(
                    json(),
                    record(
                        KEY,
                        "{\"schema\":"
                            + schema
                            + ",\"payload\":"
                            + envelope("c", "{\"id\":1}")
                            + "}"))))
        .startsWith("schema: expected at most 4194304 bytes");
  }

  private static byte[] key() {
    ByteArrayOutputStream key = start(1);
    key.write(2);
    return key.toByteArray();
  }

  private static ByteArrayOutputStream start(int schema) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, (byte) schema});
    return out;
  }

  private static void writeLong(ByteArrayOutputStream out, long number) {
    long bits = number << 1;
    while ((bits & ~0x7fL) != 0) {
      out.write((int) (bits & 0x7f | 0x80));
      bits >>>= 7;
    }
    out.write((int) bits);
  }

  private static ChangeDecoder json() {
    return ChangeDecoder.of(SHAPE, DecoderSettings.DEFAULTS, new TextRow(SHAPE));
  }

  private static ChangeDecoder flat() {
    return ChangeDecoder.of(
        SHAPE,
        DecoderSettings.DEFAULTS.withFormat(new JsonFormat(), Unwrap.DEFAULTS),
        new TextRow(SHAPE));
  }

  private static DecodeResult decode(ChangeDecoder decoder, RawRecord record) {
    Allocated.Result<DecodeResult> result = Allocated.by(() -> decoder.decode(record));
    assertThat(result.bytes())
        .as("bytes allocated, garbage too")
        .isLessThan(FIXED_BYTES + BYTES_PER_BYTE * record.value().length);
    return result.value();
  }

  private static String problem(DecodeResult result) {
    assertThat(result).isInstanceOf(Malformed.class);
    String problem = ((Malformed) result).problem();
    assertThat(problem.getBytes(UTF_8)).hasSizeLessThan(2000);
    return problem;
  }
}
