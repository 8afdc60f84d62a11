package io.tidemark.debezium.version;

import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.Problem;
import java.util.function.Predicate;

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

  /**
   * The same.
   *
   * @param wholeBefore whether deletes hold the whole row for sure
   */
  static VersionReader of(VersionScheme scheme, boolean wholeBefore) {
    return scheme instanceof VersionScheme.Field field
        ? new FieldVersion(field, false, !wholeBefore && FieldVersion.isOfRow(field))
        : ofSource(scheme);
  }

  /**
   * The reader of a scheme, for events whose value is the row.
   *
   * @param wholeBefore whether a delete's row is whole for sure
   * @param added whether a field of this name was added to the row
   */
  static VersionReader ofFlat(VersionScheme scheme, boolean wholeBefore, Predicate<String> added) {
    return scheme instanceof VersionScheme.Field field
        ? new FieldVersion(field, true, !wholeBefore && !added.test(field.path().get(0)))
        : ofSource(scheme);
  }

  private static VersionReader ofSource(VersionScheme scheme) {
    if (scheme instanceof VersionScheme.Auto) {
      return new ConnectorVersion();
    }
    if (scheme instanceof VersionScheme.KafkaOffset) {
      return new OffsetVersion();
    }
    throw new AssertionError("Unknown scheme " + scheme);
  }
}
