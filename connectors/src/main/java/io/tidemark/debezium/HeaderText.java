package io.tidemark.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.tidemark.debezium.format.JsonFormat;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values of headers, which Kafka Connect's header converter writes: its default one as plain
 * text, from which a number cannot be told from a text of digits, the JSON converter as JSON.
 */
final class HeaderText {
  private HeaderText() {}

  /** A header's value as one token. */
  static JsonParser open(byte[] value) throws Problem, IOException {
    if (value.length > 0 && (value[0] == '"' || value[0] == '{')) {
      return new JsonFormat().values().read(value, Map.of()).open();
    }
    String text = new String(value, UTF_8);
    if (text.equals("null")) {
      return NullNode.instance.traverse(); // the JSON converter's; no field has this text
    }
    try {
      return new LongNode(Long.parseLong(text)).traverse();
    } catch (NumberFormatException words) {
      return new TextNode(text).traverse();
    }
  }

  /** A header's value as text; null if it says null. */
  static @Nullable String text(byte[] value) throws Problem, IOException {
    try (JsonParser in = open(value)) {
      JsonToken token = in.nextToken();
      if (token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NULL) {
        throw JsonInput.unexpected("a string", in);
      }
      return token == JsonToken.VALUE_NULL ? null : in.getText();
    }
  }
}
