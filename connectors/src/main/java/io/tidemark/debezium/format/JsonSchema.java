package io.tidemark.debezium.format;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.Arrays;

/** A schema that came as JSON text in the message itself: equal if the text is. */
final class JsonSchema implements ConnectSchema {
  private static final ObjectMapper TREES =
      new ObjectMapper(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(JsonInput.MAX_NESTING)
                          .build())
                  .build()
                  .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION))
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS); // defaults, digit by digit

  private final byte[] text;

  JsonSchema(byte[] text) {
    this.text = text;
  }

  byte[] text() {
    return text;
  }

  @Override
  public JsonNode tree() throws Problem {
    try {
      return TREES.readTree(text);
    } catch (IOException broken) {
      throw JsonInput.broken(broken).in("schema");
    }
  }

  @Override
  public long length() {
    return text.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof JsonSchema schema && Arrays.equals(text, schema.text);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(text);
  }
}
