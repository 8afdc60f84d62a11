package io.tidemark.debezium.format;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Frame;
import io.tidemark.debezium.json.FrameReader;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what Kafka Connect's JSON converter writes. */
final class JsonMessageReader implements MessageReader {
  private final FrameReader frames = new FrameReader();
  private @Nullable JsonSchema last;

  @Override
  public Message read(byte[] bytes, Map<String, byte[]> headers) throws Problem, IOException {
    Frame frame = frames.read(bytes);
    return new JsonMessage(schema(frame.schema()), bytes, frame.from(), frame.to());
  }

  private @Nullable JsonSchema schema(byte @Nullable [] text) {
    if (text == null) {
      return null;
    }
    JsonSchema schema = last;
    if (schema == null || schema.text() != text) {
      schema = new JsonSchema(text);
      last = schema;
    }
    return schema;
  }

  @SuppressWarnings("ArrayRecordComponent") // a view of the record, never compared
  private record JsonMessage(@Nullable ConnectSchema schema, byte[] bytes, int from, int to)
      implements Message {

    @Override
    public JsonParser open() throws Problem, IOException {
      return JsonInput.open(bytes, from, to);
    }
  }
}
