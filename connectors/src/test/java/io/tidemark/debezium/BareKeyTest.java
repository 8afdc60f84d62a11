package io.tidemark.debezium;

import static io.tidemark.debezium.Events.SOURCE;
import static io.tidemark.debezium.Events.decoder;
import static io.tidemark.debezium.Events.envelope;
import static io.tidemark.debezium.Events.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.SourceOffset;
import io.tidemark.corpus.TextRow;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.avro.InMemoryAvro;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.format.MessageFormat;
import io.tidemark.debezium.format.MessageReader;
import io.tidemark.debezium.version.VersionScheme;
import io.tidemark.row.RowShape;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A message key without names, in a topic of several partitions, where the route names the key. */
class BareKeyTest {
  private static final String UUID = "0189b0c4-7c6e-7b1a-9f3e-000000000001";

  private static final MessageFormat AVRO_KEYS =
      new MessageFormat() {
        @Override
        public MessageReader keys() {
          Map<Long, String> schemas =
              Map.of(1L, "\"long\"", 2L, "\"string\"", 3L, "[\"null\",\"int\"]", 4L, "\"double\"");
          return new InMemoryAvro(schemas).keys();
        }

        @Override
        public MessageReader values() {
          return new JsonFormat().values();
        }
      };

  /** As JSON, with and without schema, and as any converter writes that makes text of a value. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "long | 1 | 1",
        "long | 1 | '{\"schema\":{\"type\":\"int64\",\"optional\":false},\"payload\":1}'",
        "long | 1 | \"1\"",
        "long | -9223372036854775808 | -9223372036854775808",
        "int | 1 | 1",
        "boolean | true | true",
        "boolean | true | \"true\"",
        "string | \"a\" | \"a\"",
        "string | \"a\" | a",
        "string | \"a\" | '{\"schema\":{\"type\":\"string\"},\"payload\":\"a\"}'",
        "string | \"\" | ''",
        "string | \"5\" | 5",
        "string | \"05\" | 05",
        "string | \"1.0\" | 1.0",
        "string | \"\u00e4\ud83d\ude00\" | \u00e4\ud83d\ude00",
        "string | '\"{\\\"region\\\":1}\"' | '{\"region\":1}'",
        "uuid | \"" + UUID + "\" | " + UUID,
        "uuid | \"" + UUID + "\" | \"" + UUID + "\"",
      })
  void theTextOfTheRowsOwnKeyIsTheRowsOwnMessageKey(String type, String value, String key) {
    assertThat(decode(type, value, key.getBytes(UTF_8), new JsonFormat())).containsOnly("applied");
    boolean text = !key.startsWith("\"") && !key.startsWith("{\"schema");
    assertThat(decode(type, value, key.getBytes(UTF_8), AVRO_KEYS).contains("applied"))
        .isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "long | 1 | 2 | 'an integer, which does not name its column, and is not the value of id in the row'",
        "long | 1 | 1.0 | 'a fraction, which does not name its column, and is not the value of id in the row'",
        "long | 1 | true | 'a boolean, which does not name its column, and is not the value of id in the row'",
        "long | 1 | null | 'null, which does not name its column, and is not the value of id in the row'",
        "long | 1 | [1] | 'a list, which does not name its column'",
        "long | 1 | 01 | 'one that cannot be read (not JSON), and is not the value of id in the row'",
        "long | 1 | '1 1' | 'one that cannot be read (expected the end of the JSON text, found more after it), and is not the value of id in the row'",
        "boolean | true | 1 | 'an integer, which does not name its column, and is not the value of id in the row'",
        "string | \"a\" | A | 'one that cannot be read (not JSON), and is not the value of id in the row'",
        "string | \"1.0\" | 1.00 | 'a fraction, which does not name its column, and is not the value of id in the row'",
        "string | \"null\" | \"NULL\" | 'a string, which does not name its column, and is not the value of id in the row'",
        "'decimal(9,2)' | \"AJY=\" | \"AJY=\" | 'a string, which does not name its column, and is not compared with id, for its type'",
        "date | 1 | 1 | 'an integer, which does not name its column, and is not compared with id, for its type'",
        "binary | \"AQ==\" | \"AQ==\" | 'a string, which does not name its column, and is not compared with id, for its type'",
      })
  void anyOtherIsRefused(String type, String value, String key, String found) {
    assertThat(decode(type, value, key.getBytes(UTF_8), new JsonFormat()))
        .hasSize(4)
        .allSatisfy(
            problem ->
                assertThat(problem)
                    .startsWith(
                        "message key: expected no other columns than those of the route's key, id,")
                    .contains("; found " + found + ". Changes of one row"));
  }

  @Test
  void avrosPrimitivesAreCompared() {
    assertThat(decode("long", "1", bytes("\0\0\0\0\1\2"), AVRO_KEYS)).containsOnly("applied");
    assertThat(decode("long", "1", bytes("\0\0\0\0\3\2\2"), AVRO_KEYS)).containsOnly("applied");
    assertThat(decode("string", "\"a\"", bytes("\0\0\0\0\2\2a"), AVRO_KEYS))
        .containsOnly("applied");
    assertThat(decode("long", "1", bytes("\0\0\0\0\1\4"), AVRO_KEYS))
        .allSatisfy(problem -> assertThat(problem).contains("; found an integer, which does not"));
    assertThat(decode("long", "1", bytes("\0\0\0\0\3\0"), AVRO_KEYS))
        .allSatisfy(problem -> assertThat(problem).contains("; found null, which does not name"));
    assertThat(decode("long", "1", bytes("\0\0\0\0\1\2\2"), AVRO_KEYS))
        .allSatisfy(problem -> assertThat(problem).contains("; found one that cannot be read"));
  }

  private static List<String> decode(String type, String value, byte[] key, MessageFormat format) {
    String row = "{\"id\":" + value + ",\"note\":\"n\"}";
    String deleted =
        "{\"before\":" + row + ",\"after\":null,\"source\":" + SOURCE + ",\"op\":\"d\"}";
    DecoderSettings settings =
        DecoderSettings.DEFAULTS
            .withFormat(format, null)
            .withKeyColumns(List.of("id"))
            .withSeveralPartitions(true);
    String[] columns = {"id*: " + type, "note: string"};
    ChangeDecoder enveloped = decoder(settings, columns);
    Unwrap rewrite =
        new Unwrap(DeleteHandling.REWRITE, List.of(), Unwrap.PREFIX, List.of(), Unwrap.PREFIX);
    RowShape shape = Events.shape(columns);
    ChangeDecoder flat =
        ChangeDecoder.of(
            shape,
            settings.withFormat(format, rewrite).withVersion(new VersionScheme.KafkaOffset()),
            new TextRow(shape));
    return List.of(
        outcome(enveloped, key, envelope("c", row)),
        outcome(enveloped, key, deleted),
        outcome(flat, key, flat(row, "false")),
        outcome(flat, key, flat(row, "true")));
  }

  private static String flat(String row, String deleted) {
    return row.substring(0, row.length() - 1) + ",\"__deleted\":\"" + deleted + "\"}";
  }

  private static String outcome(ChangeDecoder decoder, byte[] key, String value) {
    DecodeResult result =
        decoder.decode(
            new RawRecord(new SourceOffset("t", 0, 5), 1000, key, value.getBytes(UTF_8), Map.of()));
    return result instanceof DecodeResult.Decoded ? "applied" : text(result);
  }

  private static byte[] bytes(String each) {
    return each.getBytes(ISO_8859_1);
  }
}
