package io.tidemark.debezium.format;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.debezium.json.Problem;

/**
 * The Kafka Connect schema that a message brings or names. Equal schemas read equal messages, and
 * the same object comes again for messages that follow each other with the same schema.
 */
public interface ConnectSchema {

  /**
   * The schema as Kafka Connect's JSON converter writes it; not to be changed.
   *
   * @throws Problem if it cannot be read
   */
  JsonNode tree() throws Problem;

  /** How long the text is that it came as, in characters or bytes; what is kept of it grows so. */
  long length();
}
