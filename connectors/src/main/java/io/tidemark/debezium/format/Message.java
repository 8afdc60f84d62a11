package io.tidemark.debezium.format;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A record's key or value: it can be read from its start again and again. */
public interface Message {

  /** What describes the payload; null where the message has no schema. */
  @Nullable ConnectSchema schema();

  /**
   * The payload's tokens, before the first; the payload may be JSON null.
   *
   * @throws Problem if the bytes cannot be read at all
   */
  JsonParser open() throws Problem, IOException;
}
