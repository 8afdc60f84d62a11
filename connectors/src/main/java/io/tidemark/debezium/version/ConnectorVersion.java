package io.tidemark.debezium.version;

import io.tidemark.change.SourcePosition;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;

/** Asks the reader of the connector that wrote the event. */
final class ConnectorVersion implements VersionReader {
  private static final String OTHERWISE =
      ". Use version: field:<path> with a number that rises with every commit, or version:"
          + " kafka-offset";

  private final VersionReader postgres = new PostgresVersion();

  @Override
  public SourcePosition read(EventFacts event) throws Problem {
    String connector = event.source().connector();
    if (connector == null) {
      throw new Problem(
          "source.connector is missing, from which version: auto knows how positions compare"
              + OTHERWISE);
    }
    if (connector.equals("postgresql")) {
      return postgres.read(event);
    }
    throw new Problem(
        "version: auto works for connector postgresql, found "
            + JsonInput.quoted(connector)
            + OTHERWISE);
  }
}
