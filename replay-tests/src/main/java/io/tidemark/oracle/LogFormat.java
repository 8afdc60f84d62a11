package io.tidemark.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * How the messages of a log are written.
 *
 * @param avro null for JSON
 * @param flattened what became of the envelopes; null if they are there
 */
public record LogFormat(@Nullable AvroLog avro, @Nullable Flattened flattened) {

  /** Envelopes as JSON. */
  public static final LogFormat JSON = new LogFormat(null, null);

  Envelope key(RawEvent event, byte[] bytes) {
    return read(event, bytes, "key");
  }

  /**
   * A record's value in its envelope.
   *
   * @param columns of the table; null if not known
   * @return null if the record says nothing
   */
  @Nullable Envelope value(RawEvent event, @Nullable JsonNode columns) {
    byte[] bytes = event.value();
    Envelope value = bytes == null ? null : read(event, bytes, "value");
    if (flattened != null) {
      return flattened.envelope(event, value, columns);
    }
    // A tombstone says nothing that the delete before it did not.
    return value == null || value.payload().isNull() ? null : value;
  }

  private Envelope read(RawEvent event, byte[] bytes, String part) {
    return avro == null ? Envelope.read(event, bytes) : avro.read(event, bytes, part);
  }
}
