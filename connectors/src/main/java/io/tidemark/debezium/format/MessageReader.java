package io.tidemark.debezium.format;

import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.Map;

/**
 * Finds schema and payload in the keys, or in the values, of a topic's records. It remembers the
 * schemas that it met, and is not thread-safe: one per reader.
 */
@FunctionalInterface
public interface MessageReader {

  /**
   * Reads where payload and schema are.
   *
   * @param headers the record's, by name; a header's value may be null
   * @throws Problem if the bytes are not of this format, or their schema is not known
   */
  Message read(byte[] bytes, Map<String, byte[]> headers) throws Problem, IOException;
}
