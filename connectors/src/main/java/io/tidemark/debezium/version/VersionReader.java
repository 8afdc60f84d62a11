package io.tidemark.debezium.version;

import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;

/** Reads an event's place in its source. One class per way of counting; not thread-safe. */
public interface VersionReader {

  /**
   * The place that the event claims.
   *
   * @throws Problem if it claims none; names what is missing and the remedy
   */
  SourcePosition read(EventFacts event) throws Problem;

  /** The reader of a scheme, for events in their envelope. */
  static VersionReader of(VersionScheme scheme) {
    return of(scheme, false);
  }

  /** The reader of a scheme, for events whose value is the row. */
  static VersionReader ofFlat(VersionScheme scheme) {
    return of(scheme, true);
  }

  private static VersionReader of(VersionScheme scheme, boolean flat) {
    if (scheme instanceof VersionScheme.Auto) {
      return new ConnectorVersion();
    }
    if (scheme instanceof VersionScheme.Field field) {
      return new FieldVersion(field, flat);
    }
    if (scheme instanceof VersionScheme.KafkaOffset) {
      return new OffsetVersion();
    }
    throw new AssertionError("Unknown scheme " + scheme);
  }
}
