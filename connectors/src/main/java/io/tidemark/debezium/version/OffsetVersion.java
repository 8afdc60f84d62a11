package io.tidemark.debezium.version;

import io.tidemark.change.SourcePosition;

/** No place of its own: the Kafka offset alone decides. */
final class OffsetVersion implements VersionReader {
  private static final SourcePosition NONE = new SourcePosition.ByOffset();

  @Override
  public SourcePosition read(EventFacts event) {
    return NONE;
  }
}
