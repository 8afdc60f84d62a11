package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What a connector writes for a column that it did not get: one text, dressed as the column's type.
 */
final class Placeholder {

  private final byte[] bytes;
  private final Set<String> texts = new TreeSet<>();
  private final String text;

  /**
   * Reads a connector's setting.
   *
   * @param setting a text, or {@code hex:} and bytes; empty for none
   */
  Placeholder(String setting) {
    bytes =
        setting.startsWith("hex:")
            ? HexFormat.of().parseHex(setting.substring(4))
            : setting.getBytes(StandardCharsets.UTF_8);
    text = new String(bytes, StandardCharsets.UTF_8);
    texts.add(text);
    texts.add(Base64.getEncoder().encodeToString(bytes));
    texts.add(Base64.getUrlEncoder().encodeToString(bytes));
    texts.add(HexFormat.of().formatHex(bytes));
    texts.add(UUID.nameUUIDFromBytes(bytes).toString());
    texts.add("{\"" + text + "\":\"" + text + "\"}");
  }

  /** Whether a value of a row is this. */
  boolean is(JsonNode value) {
    if (bytes.length == 0) {
      return false;
    }
    if (value.isTextual()) {
      // A single uuid is too short for a source to leave it out: only a list of one can be this.
      return texts.contains(value.asText())
          && !value.asText().equals(UUID.nameUUIDFromBytes(bytes).toString());
    }
    if (value.isObject()) {
      return value.size() == 1 && text.equals(value.path(text).asText(null));
    }
    return value.isArray() && isList(value);
  }

  private boolean isList(JsonNode list) {
    if (list.size() == 1 && list.get(0).isTextual()) {
      return texts.contains(list.get(0).asText());
    }
    if (list.size() != bytes.length) {
      return false;
    }
    for (int i = 0; i < bytes.length; i++) {
      if (!list.get(i).isIntegralNumber() || list.get(i).longValue() != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
