package io.tidemark.debezium.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FrameReaderTest {
  private final FrameReader reader = new FrameReader();

  @Test
  void payloadAloneIsTheWholeText() throws Exception {
    assertThat(read("{\"op\":\"c\"}")).isEqualTo("null / {\"op\":\"c\"}");
    assertThat(read("{}")).isEqualTo("null / {}");
    assertThat(read("null")).isEqualTo("null / null");
  }

  @Test
  void schemaAndPayloadComeInAnyOrderWithAnySpace() throws Exception {
    assertThat(read("{\"schema\":{\"a\":[1]},\"payload\":{\"x\":1}}"))
        .isEqualTo("{\"a\":[1]} / {\"x\":1}");
    assertThat(read(" { \"payload\" : {\"x\": 1} , \"schema\" : {\"é\": 1} } "))
        .isEqualTo("{\"é\": 1} / {\"x\": 1}");
    assertThat(read("{\"schema\":null,\"payload\":{\"x\":1}}")).isEqualTo("null / {\"x\":1}");
  }

  @Test
  void columnsNamedSchemaAndPayloadAreNoFrame() throws Exception {
    assertThat(read("{\"schema\":\"public\"}")).isEqualTo("null / {\"schema\":\"public\"}");
    assertThat(read("{\"schema\":\"public\",\"payload\":1}"))
        .isEqualTo("null / {\"schema\":\"public\",\"payload\":1}");
    assertThat(read("{\"schema\":{},\"payload\":1,\"more\":2}"))
        .isEqualTo("null / {\"schema\":{},\"payload\":1,\"more\":2}");
  }

  @Test
  void equalSchemasAreTheSameArray() throws Exception {
    byte[] first = schema("{\"schema\":{\"a\":1},\"payload\":{\"x\":1}}");
    byte[] second = schema("{\"schema\":{\"a\":1},\"payload\":{\"x\":23}} ");
    byte[] spaced = schema("{ \"schema\":{\"a\":1}, \"payload\":{}}");
    byte[] other = schema("{\"schema\":{\"a\":2},\"payload\":{\"x\":1}}");

    assertThat(second).isSameAs(first);
    assertThat(spaced).isSameAs(first);
    assertThat(other).isNotEqualTo(first);
    assertThat(schema("{\"schema\":{\"a\":1},\"payload\":{\"x\":1}}")).isEqualTo(first);
  }

  @Test
  void textThatGoesOnOrEndsEarlyIsAProblem() throws Exception {
    read("{\"schema\":{\"a\":1},\"payload\":{\"x\":1}}");

    assertThatThrownBy(
            () -> read("{\"schema\":{\"a\":1},\"payload\":{\"x\":1}".replace('x', 'y') + "]"))
        .isInstanceOf(Problem.class)
        .hasMessage("JSON that ends early, or goes on after its end");
    assertThatThrownBy(
            () -> new FrameReader().read("{\"schema\":{},\"payload\":{}}{}".getBytes(UTF_8)))
        .isInstanceOf(Problem.class)
        .hasMessage("expected the end of the JSON text, found more after it");
  }

  private String read(String text) throws Exception {
    byte[] message = text.getBytes(UTF_8);
    Frame frame = reader.read(message);
    String schema = frame.schema() == null ? "null" : new String(frame.schema(), UTF_8);
    return schema
        + " / "
        + new String(message, frame.from(), frame.to() - frame.from(), UTF_8).strip();
  }

  private byte[] schema(String text) throws Exception {
    return reader.read(text.getBytes(UTF_8)).schema();
  }
}
