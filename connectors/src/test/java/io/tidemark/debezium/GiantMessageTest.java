package io.tidemark.debezium;

import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

/** Messages that are large, deep or wide without end are decoded or refused, in bounded memory. */
class GiantMessageTest {
  private static final int SIZE = 64 * 1024 * 1024;
  private static final String KEY = "{\"id\":1}";
  private static final RowShape SHAPE = Events.shape("id*: long", "name: string");

  @Test
  void aValueOf64MebibytesIsARow() {
    String text = "x".repeat(SIZE - 1000);
    DecodeResult json =
        json().decode(record(KEY, envelope("c", "{\"id\":1,\"name\":\"" + text + "\"}")));

    assertThat(json).isInstanceOf(Decoded.class);
    assertThat(((Decoded) json).row()).hasSizeGreaterThan(SIZE - 2000);
  }

  @Test
  void aValueOverTheLimitIsRefused() {
    String text = "x".repeat(SIZE + 1000);

    assertThat(
            problem(
                json().decode(record(KEY, envelope("c", "{\"id\":1,\"name\":\"" + text + "\"}")))))
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
      assertThat(problem(json().decode(record(KEY, value)))).isNotEmpty();
      assertThat(problem(flat().decode(record(KEY, value)))).isNotEmpty();
    }
    assertThat(problem(json().decode(record(deep, envelope("c", "{\"id\":1}"))))).isNotEmpty();
  }

  @Test
  void aMillionFieldsAreRefusedOrSkipped() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      fields.append("\"f").append(i).append("\":").append(i).append(',');
    }
    String many = fields.substring(0, fields.length() - 1);

    assertThat(problem(json().decode(record(KEY, "{" + many + "}")))).contains("found no op");
    assertThat(problem(json().decode(record(KEY, envelope("c", "{\"id\":1," + many + "}")))))
        .contains("the table has no such column");
    assertThat(
            json()
                .decode(
                    record(
                        KEY,
                        envelope("c", "{\"id\":1}", Events.SOURCE.replace("{", "{" + many + ",")))))
        .isInstanceOf(Decoded.class);
    assertThat(problem(flat().decode(record(KEY, "{\"id\":1," + many + "}"))))
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
        decoder.decode(new RawRecord(plain.at(), 0, key(), value.toByteArray(), Map.of()));
    assertThat(large).isInstanceOf(Decoded.class);

    // A few bytes that say that there are 2^62 elements, none of which takes a byte.
    ByteArrayOutputStream bomb = start(2);
    bomb.writeBytes(new byte[] {2, 0});
    writeLong(bomb, 1L << 62);
    assertThat(
            problem(
                decoder.decode(new RawRecord(plain.at(), 0, key(), bomb.toByteArray(), Map.of()))))
        .contains("more than a million elements that take no bytes");
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

  private static String problem(DecodeResult result) {
    assertThat(result).isInstanceOf(Malformed.class);
    String problem = ((Malformed) result).problem();
    assertThat(problem.getBytes(UTF_8)).hasSizeLessThan(2000);
    return problem;
  }
}
