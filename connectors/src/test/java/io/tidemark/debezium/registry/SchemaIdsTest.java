package io.tidemark.debezium.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.debezium.json.Problem;
import io.tidemark.debezium.registry.SchemaIds.Found;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaIdsTest {
  private static final SchemaIds CONFLUENT = new SchemaIds(4, SchemaId.Kind.SCHEMA);
  private static final SchemaIds APICURIO = new SchemaIds(8, SchemaId.Kind.GLOBAL);

  @Test
  void anIdInFrontHasFourOrEightBytes() throws Exception {
    assertThat(CONFLUENT.find(new byte[] {0, 0, 0, 1, 2, 9}, Map.of(), "value"))
        .isEqualTo(new Found(new SchemaId(SchemaId.Kind.SCHEMA, 258), 5));
    assertThat(APICURIO.find(new byte[] {0, 0, 0, 0, 1, 0, 0, 0, 2, 9}, Map.of(), "value"))
        .isEqualTo(new Found(new SchemaId(SchemaId.Kind.GLOBAL, (1L << 32) + 2), 9));
  }

  @Test
  void anApicurioHeaderOfTheSamePartGoesFirst() throws Exception {
    Map<String, byte[]> headers =
        Map.of(
            "apicurio.value.globalId", longOf(7),
            "apicurio.value.encoding", "BINARY".getBytes(UTF_8),
            "apicurio.key.contentId", longOf(8));

    assertThat(APICURIO.find(new byte[] {9}, headers, "value"))
        .isEqualTo(new Found(new SchemaId(SchemaId.Kind.GLOBAL, 7), 0));
    assertThat(APICURIO.find(new byte[] {9}, headers, "key"))
        .isEqualTo(new Found(new SchemaId(SchemaId.Kind.CONTENT, 8), 0));
  }

  @Test
  void whatIsNoAvroIsNamed() {
    assertProblem(
        "{\"id\":1}".getBytes(UTF_8),
        Map.of(),
        "expected Avro with a zero byte and a schema id in front, found what looks like JSON: set"
            + " kafka.format to debezium-json or debezium-json-flat");
    assertProblem(
        new byte[] {1, 2},
        Map.of(),
        "expected Avro with a zero byte and a schema id in front, found no zero byte");
    assertProblem(
        new byte[] {0, 2},
        Map.of(),
        "expected Avro with a zero byte and a schema id of 4 bytes, found no more than 2 bytes");
    assertProblem(
        new byte[] {1},
        Map.of("apicurio.value.encoding", "JSON".getBytes(UTF_8)),
        "header apicurio.value.encoding: expected BINARY, found another. Set the converter's"
            + " apicurio.registry.avro.encoding=BINARY");
    assertProblem(
        new byte[] {1},
        Map.of("apicurio.value.globalId", new byte[3]),
        "header apicurio.value.globalId: expected 8 bytes, found 3");
    assertProblem(
        new byte[] {0, 0, 0, 0, 0},
        Map.of("__value_schema_id", new byte[17]),
        "header __value_schema_id: schema ids in Confluent's headers are not supported. Leave the"
            + " converter's serializer of schema ids at its default, which puts them in front of the"
            + " payload");
  }

  private static void assertProblem(byte[] message, Map<String, byte[]> headers, String problem) {
    assertThatThrownBy(() -> CONFLUENT.find(message, headers, "value"))
        .isInstanceOf(Problem.class)
        .hasMessage(problem);
  }

  private static byte[] longOf(long number) {
    return ByteBuffer.allocate(8).putLong(number).array();
  }
}
